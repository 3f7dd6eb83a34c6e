import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { durationText, parseDuration } from './duration.ts';
import { valueOrRefusal } from './faults.conformance.ts';
import { parseFieldSelector } from './fields/selector.ts';
import { quote } from './go.ts';
import { decodeJson, encodeJson } from './json.ts';
import { parseRequirements } from './labels/parse.ts';
import { parseAddr, parseIPSloppy } from './net/parse-addr.ts';
import { parseCIDRSloppy, parsePrefix } from './net/parse-prefix.ts';
import { compileRegexp } from './regexp.ts';
import { parseQuantity, quantityText } from './resource/quantity.ts';
import { parseApiVersion } from './schema.ts';
import { instantOf, parseMicroTime, parseTime, timeText } from './time.ts';
import { isDNS1123Subdomain, isQualifiedName } from './validation/names.ts';
import { decodeYaml } from './yaml.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

/** Texts that resemble valid input closely enough to pass the decoder's first check. */
const near = (alphabet: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ unit: fc.constantFrom(...alphabet.split(' ')), maxLength: 24 }),
    fc.string({ unit: 'binary', maxLength: 24 }),
  );

const DECODERS: readonly (readonly [string, string, (text: string) => unknown])[] = [
  ['JSON', '{ } [ ] : , " \\ u 0 1 e - . a true null __proto__ \u2028', (text) => decodeJson(bytes(text))],
  ['YAML', '{ } [ ] : , " \' - ? & * ! | > # % @ a 1 \n \t ~ --- ... <<', (text) => decodeYaml(bytes(text))],
  ['durations', '1 9 . - + h m s ms us µs ns 0', parseDuration],
  ['times', '2 0 1 9 - T Z : . + z', parseTime],
  ['micro times', '2 0 1 9 - T Z : . + z', parseMicroTime],
  ['quantities', '1 9 0 . - + e E k Ki M m u n G', parseQuantity],
  ['label selectors', 'a b = != in notin ( ) , ! < > / . 1 exists', parseRequirements],
  ['field selectors', 'a . = != == , \\ x', parseFieldSelector],
  ['addresses', '1 2 5 0 . : f :: % /', parseAddr],
  ['addresses with leading zeros', '1 2 5 0 00 . : f :: % /', parseIPSloppy],
  ['networks', '1 2 5 0 . : f :: / 32', parsePrefix],
  ['networks with leading zeros', '1 2 5 0 00 . : f :: / 32', parseCIDRSloppy],
  ['API versions', 'a / v1 . 1', parseApiVersion],
  ['names', 'a A - . 0 é', isDNS1123Subdomain],
  ['qualified names', 'a A / - . 0 _ é', isQualifiedName],
  ['regular expressions', 'a ( ) [ ] { } * + ? | \\ ^ $ . , 1 9 : P < > p L -', compileRegexp],
  ['quotes', '" \\ \u0000 \u2028 é \ud800', quote],
];

describe('decoders of untrusted input', () => {
  test.each(DECODERS)('read or reject any %s', (_, alphabet, decode) => {
    let seen = 0;
    fc.assert(
      fc.property(near(alphabet), (text) => {
        valueOrRefusal(() => decode(text));
        seen += 1;
      }),
      { numRuns: 500 },
    );
    expect(seen).toBeGreaterThanOrEqual(500);
  });

  test.each([
    ['JSON', (raw: Uint8Array) => decodeJson(raw)],
    ['YAML', (raw: Uint8Array) => decodeYaml(raw)],
  ])('read or reject %s of random bytes, and text with changed bytes', (_, decode) => {
    const text =
      '{"kind":"A","apiVersion":"v1","metadata":{"name":"é","labels":{"a":"b"}},"spec":[1,-2.5e3,null,true]}';
    const changes = fc.array(fc.tuple(fc.nat(text.length), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), changes, (raw, changed) => {
        const broken = bytes(text);
        for (const [at, byte] of changed) broken[at] = byte;
        for (const input of [raw, broken]) {
          const read = valueOrRefusal(() => decode(input));
          if (read !== undefined) expect(() => decodeJson(bytes(encodeJson(read.value)))).not.toThrow();
        }
      }),
    );
  });
});

describe('parsing of formatted values', () => {
  test('restores durations after formatting', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (nanoseconds) => {
        expect(parseDuration(durationText(nanoseconds))).toBe(nanoseconds);
      }),
    );
  });

  test('restores times after formatting', () => {
    const instant = fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true });
    fc.assert(
      fc.property(instant, (date) => {
        const { seconds } = instantOf(date);
        expect(parseTime(timeText({ seconds, nanos: 0 }) ?? '').seconds).toBe(seconds);
      }),
    );
  });

  test('restores quantities in their stored form', () => {
    fc.assert(
      fc.property(near('1 9 0 . - Ki M m G e3'), (text) => {
        const read = valueOrRefusal(() => parseQuantity(text));
        if (read === undefined) return;
        const written = quantityText(read);
        expect(quantityText(parseQuantity(written))).toBe(written);
      }),
    );
  });
});
