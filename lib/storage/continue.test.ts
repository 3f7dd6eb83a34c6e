import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { valueOrRefusal } from '#lib/machinery/faults.conformance.ts';
import { decodeContinue, encodeContinue, INCONSISTENT } from './continue.ts';

const PREFIX = 'main//configmaps/';
const raw = (text: string): string => Buffer.from(text).toString('base64url');
const token = (fields: object): string => raw(JSON.stringify(fields));
const V1 = { v: 'meta.k8s.io/v1', rv: 7, start: 'default/a\0' };

describe('continue tokens of lists', () => {
  test.each([
    ['a position at a version', { version: 2 ** 40 + 5, afterKey: `${PREFIX}default/a`, issuedAt: 1_700_000_000_000 }],
    ['an inconsistent position', { version: INCONSISTENT, afterKey: `${PREFIX}default/a`, issuedAt: 1 }],
    ['a cluster-scoped key', { version: 3, afterKey: `${PREFIX}/a`, issuedAt: 1 }],
    ['a position without a time', { version: 3, afterKey: `${PREFIX}default/a` }],
    ['a key beyond ASCII', { version: 3, afterKey: `${PREFIX}default/ä😀`, issuedAt: 1 }],
  ])('decode to the encoded position: %s', (_, value) => {
    expect(decodeContinue(PREFIX, encodeContinue(PREFIX, value))).toEqual(value);
  });

  test('round-trip for any position, and any other text is decoded or rejected', () => {
    const position = fc.record({
      version: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      name: fc.stringMatching(/^[a-z0-9.é-]{1,20}$/),
      issuedAt: fc.nat(),
    });
    fc.assert(
      fc.property(
        position,
        fc.base64String({ maxLength: 40 }),
        fc.jsonValue(),
        ({ version, name, issuedAt }, text, json) => {
          const value = { version, afterKey: `${PREFIX}default/${name}`, issuedAt };
          fc.pre(!/^\.+$/.test(name));
          expect(decodeContinue(PREFIX, encodeContinue(PREFIX, value))).toEqual(value);
          for (const foreign of [text, raw(JSON.stringify(json)), raw(JSON.stringify({ ...V1, start: json }))]) {
            const read = valueOrRefusal(() => decodeContinue(PREFIX, foreign));
            if (read !== undefined) expect(read.afterKey.startsWith(PREFIX)).toBe(true);
          }
        },
      ),
    );
  });

  test('have the format that clients have seen', () => {
    const text = encodeContinue(PREFIX, { version: 7, afterKey: `${PREFIX}default/a` });
    expect(JSON.parse(Buffer.from(text, 'base64url').toString())).toEqual(V1);
    expect(text).not.toContain('=');
  });

  test.each([
    ['a lone last character', 'bogus', 'continue key is not valid: illegal base64 data at input byte 4'],
    ['a foreign character', 'ab+d', 'continue key is not valid: illegal base64 data at input byte 2'],
    [
      'another version',
      token({ ...V1, v: 'v9' }),
      'continue key is not valid: server does not recognize this encoded version v9',
    ],
    ['no version', token({ rv: 1 }), 'continue key is not valid: server does not recognize this encoded version '],
    [
      'resource version 0',
      token({ ...V1, rv: 0 }),
      'continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
    ],
    [
      'no start',
      token({ ...V1, start: '' }),
      'continue key is not valid: encoded start key empty (version meta.k8s.io/v1)',
    ],
    [
      'a path to a parent',
      token({ ...V1, start: '../../secrets/a\0' }),
      'continue key is not valid: ../../secrets/a\0',
    ],
    ['a path that is not clean', token({ ...V1, start: 'default/./a' }), 'continue key is not valid: default/./a'],
  ])('are rejected with %s', (_, text, message) => {
    expect(() => decodeContinue(PREFIX, text)).toThrow(expect.objectContaining({ code: 'InvalidContinue', message }));
  });

  test.each([
    ['not JSON', raw('nope')],
    ['an array', raw('[]')],
    ['a deeply nested array', raw('['.repeat(500))],
    ['a time that is text', token({ ...V1, t: 'x', f: 1 })],
  ])('are rejected if they are %s', (_, text) => {
    expect(() => decodeContinue(PREFIX, text)).toThrow(expect.objectContaining({ code: 'InvalidContinue' }));
  });

  test('are not decoded if they have a newer format', () => {
    expect(() => decodeContinue(PREFIX, token({ ...V1, t: 1, f: 2 }))).toThrow(
      expect.objectContaining({ code: 'UnknownFormat' }),
    );
  });
});
