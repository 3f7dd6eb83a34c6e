import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { array, assert, dictionary, property, record, string } from 'fast-check';
import { expect, test } from 'vitest';
import { ListContainersResponse } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { KnownTexts, TextReader } from './text-reader.ts';

const containers = array(
  record({
    id: string({ unit: 'binary', maxLength: 300 }),
    labels: dictionary(string(), string({ unit: 'grapheme' })),
  }),
);

test('reads messages in the same way as without known texts, also the second time', () => {
  const texts = new KnownTexts();
  assert(
    property(containers, (values) => {
      const bytes = ListContainersResponse.encode(ListContainersResponse.fromPartial({ containers: values })).finish();
      const expected = ListContainersResponse.decode(bytes);
      expect(ListContainersResponse.decode(new TextReader(bytes, texts))).toEqual(expected);
      expect(ListContainersResponse.decode(new TextReader(bytes, texts))).toEqual(expected);
    }),
  );
});

test.each([
  ['a byte that is not UTF-8', Uint8Array.of(0xe9)],
  ['the character with that code point', new TextEncoder().encode('é')],
])('does not mistake %s for another text', (_, bytes) => {
  const texts = new KnownTexts();
  texts.keep(bytes, 0, bytes.length, 'é');
  expect(texts.find(bytes, 0, bytes.length)).toBeUndefined();
});

test('rejects a text that ends beyond its message', () => {
  const bytes = new BinaryWriter().uint32(5).finish();
  expect(() => new TextReader(bytes, new KnownTexts()).string()).toThrow(RangeError);
});
