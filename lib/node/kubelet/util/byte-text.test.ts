import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOfText, textOfBytes } from './byte-text.ts';

test('restores bytes of any kind', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect([...bytesOfText(textOfBytes(bytes))]).toEqual([...bytes]);
    }),
  );
});

test('keeps UTF-8 text as it is', () => {
  expect(textOfBytes(Buffer.from('grüße \u{1f600}'))).toBe('grüße \u{1f600}');
});

test.each([
  [[0xff]],
  [[0xc3]],
  [[0x61, 0xff, 0xc3, 0xa4]],
  [[0xed, 0xa0, 0x80]],
  [[0xf0, 0x9f, 0x98]],
  [[0xef, 0xbb, 0xbf, 0x61]],
])('restores the bytes %j', (bytes) => {
  expect([...bytesOfText(textOfBytes(Uint8Array.from(bytes)))]).toEqual(bytes);
});
