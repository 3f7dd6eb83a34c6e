import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StoreError } from '#lib/storage/errors.ts';
import type { Proposal } from '#lib/storage/sequence.ts';
import { stampAll } from '#lib/storage/stamp.ts';
import { pack, unpack } from './pack.ts';
import { decodeChanges, encodeProposals } from './payload.ts';

const texts = fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true });
const summary = {
  labels: texts,
  fields: texts,
  generation: fc.nat(),
  ownerReferences: fc.array(fc.record({ uid: fc.string(), controller: fc.boolean() })),
};
const bodies = fc
  .string({ unit: 'binary' })
  .map((note) => Buffer.from(JSON.stringify({ metadata: { resourceVersion: '0' }, note })));
const proposals: fc.Arbitrary<Proposal[]> = fc.array(
  fc.record(
    {
      ...summary,
      key: fc.string(),
      type: fc.constantFrom('ADDED' as const, 'MODIFIED' as const, 'DELETED' as const),
      body: bodies,
      previous: fc.record({ ...summary, version: fc.nat() }),
      previousBody: fc.uint8Array(),
    },
    {
      requiredKeys: ['labels', 'fields', 'generation', 'ownerReferences', 'key', 'type', 'body'],
      noNullPrototype: true,
    },
  ),
  { maxLength: 8 },
);

/** Converts buffers and byte arrays to a comparable form. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, field: unknown) =>
      field instanceof Uint8Array ? Buffer.from(field).toString('base64') : field,
    ).replaceAll(/\{"type":"Buffer","data":(\[[^\]]*\])\}/g, (_, data: string) =>
      JSON.stringify(Buffer.from(JSON.parse(data) as number[]).toString('base64')),
    ),
  );

describe('the bytes of an entry', () => {
  test('decodes proposals and stamps their positions', () => {
    fc.assert(
      fc.property(proposals, fc.nat(), (proposed, after) => {
        const decoded = decodeChanges(unpack(pack(encodeProposals(proposed))), after + 1);
        expect(plain(decoded)).toEqual(plain(stampAll(after, proposed)));
      }),
    );
  });

  test('truncated or changed bytes decode as Corrupt or as an entry, never as anything else', () => {
    const whole = encodeProposals([
      { key: 'k', type: 'ADDED', labels: {}, fields: {}, generation: 1, ownerReferences: [], body: Buffer.from('{}') },
    ]);
    fc.assert(
      fc.property(fc.nat({ max: whole.length - 1 }), (length) => {
        expect(() => decodeChanges(whole.subarray(0, length), 1)).toThrow(StoreError);
      }),
    );
  });

  test.each([
    ['no mark', new Uint8Array()],
    ['an unknown mark', Uint8Array.of(9, 1, 2)],
    ['not zstd', Uint8Array.of(1, 2, 3, 4)],
    ['not zlib', Uint8Array.of(2, 2, 3, 4)],
  ])('rejects packed bytes with %s as Corrupt', (_, bytes) => {
    expect(() => unpack(bytes)).toThrow(expect.objectContaining({ code: 'Corrupt' }));
  });

  test.each([100, 1_000])(
    'rejects one flipped bit in compressed bytes as Corrupt: a text repeated %i times',
    (times) => {
      const packed = pack(Buffer.from('davit '.repeat(times)));
      const flipped = Uint8Array.from(packed);
      const at = flipped.length - 2;
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      expect(() => unpack(flipped)).toThrow(expect.objectContaining({ code: 'Corrupt' }));
    },
  );
});
