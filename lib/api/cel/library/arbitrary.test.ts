import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fault } from '#lib/machinery/fault.ts';
import { parseAddr } from '#lib/machinery/net/parse-addr.ts';
import { parseSemver } from './semver.ts';
import { parseUrl, type Url } from './url.ts';

const of = (...pieces: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 12 })
    .map((parts) => parts.join(''));

const url = of('http:', '//', '/', '@', ':', '80', '[', ']', '::1', '%', '%25', '%zz', '?', '#', '&', '=', 'a', 'é');
const address = of('1', '.', ':', '::', 'ffff', '%', 'eth0', '256', '01', '/');
const version = of('1', '.', '-', '+', '01', 'a', 'rc', '99999999999999999999', 'v');

test('parses a URL and its text again to the same, or returns a fault', () => {
  fc.assert(
    fc.property(url, (text) => {
      const read = parseUrl(text);
      if (read instanceof Fault) return;
      for (const part of ['scheme', 'host', 'hostname', 'port', 'escapedPath'] as const satisfies (keyof Url)[]) {
        expect(typeof read[part]).toBe('string');
      }
      expect(read.query).toBeInstanceOf(Map);
      expect(parseUrl(text)).toEqual(read);
    }),
    { numRuns: 2000 },
  );
});

test.each<[string, fc.Arbitrary<string>, (text: string) => unknown]>([
  ['an address', address, parseAddr],
  ['a version', version, parseSemver],
])('parses %s or returns a fault', (_, texts, parse) => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(typeof parse(text)).toBe('object');
    }),
    { numRuns: 2000 },
  );
});

test('parses no address without a digit', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[g-z.\-_]*$/), (text) => {
      expect(parseAddr(text)).toBeInstanceOf(Fault);
    }),
  );
});
