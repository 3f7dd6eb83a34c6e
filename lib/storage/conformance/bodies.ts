import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { MAX_BODY_BYTES } from '../limits.ts';
import { bodyOf, proposal } from '../proposal.conformance.ts';
import { code, entriesOf, type OpenSequence } from './bench.ts';

/** Tests bodies up to the size limit of an object. */
export function keepsLargeBodies(on: OpenSequence): void {
  describe('large bodies in a sequence', () => {
    /** Incompressible text. */
    const large = (length: number): Uint8Array => {
      const noise = randomBytes(Math.ceil((length * 3) / 4)).toString('base64');
      const empty = bodyOf(2).length;
      return bodyOf(2, { note: noise.slice(0, length - empty) });
    };

    test('return unchanged from log, state and snapshot at 1,572,864 bytes', async () => {
      const body = large(MAX_BODY_BYTES);
      expect(body).toHaveLength(MAX_BODY_BYTES);
      await on.put(proposal('big', { body }));
      await on.log.compact();
      const other = (await on.another()).sequence('main//things');
      const [change] = (await on.all(other)).changes;
      expect(Buffer.from(change?.body ?? []).equals(body)).toBe(true);
      const { item } = await other.read('main//things/default/big');
      expect(Buffer.from(item?.body ?? []).equals(body)).toBe(true);
      const [entry] = await entriesOf(await other.snapshot({ prefix: '' }));
      expect(Buffer.from(entry?.body ?? []).equals(body)).toBe(true);
    });

    test('are rejected with TooLarge one byte above the limit, and nothing is stored', async () => {
      const append = on.log.append(
        1,
        [proposal('a'), proposal('big', { body: large(MAX_BODY_BYTES + 1) })],
        on.nonce(),
      );
      await expect(append).rejects.toEqual(code('TooLarge'));
      expect(await on.log.head()).toBe(1);
    });

    test('are limited by their stamped size', async () => {
      const body = bodyOf(0, { length: MAX_BODY_BYTES });
      for (let i = 0; i < 9; i++) await on.put();
      await expect(on.put(proposal('big', { body }))).rejects.toEqual(code('TooLarge'));
    });

    test('fit several in one entry, with their previous bodies', async () => {
      const [a, b, before] = [large(900_000), large(400_000), large(700_000)];
      await on.put(proposal('a', { body: a }), proposal('b', { body: b, previousBody: before }));
      const page = await on.all();
      expect(page.changes.map(({ body, previousBody }) => [body.length, previousBody?.length])).toEqual([
        [900_000, undefined],
        [400_000, 700_000],
      ]);
    });
  });
}
