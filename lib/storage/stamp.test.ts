import { expect, test } from 'vitest';
import { checkProposals, MAX_BODY_BYTES } from './limits.ts';
import { bodyOf, proposal } from './proposal.conformance.ts';
import { EPOCH } from './sequence.ts';
import { stamp, stampAll, stampedLength, stampedVersion } from './stamp.ts';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

test.each([
  ['an empty version', '{"metadata":{"resourceVersion":""}}', 7, '{"metadata":{"resourceVersion":"7"}}'],
  ['a longer version', '{"metadata":{"resourceVersion":"12345"}}', 7, '{"metadata":{"resourceVersion":"7"}}'],
  [
    'a shorter version',
    '{"metadata":{"resourceVersion":"7"}}',
    EPOCH,
    '{"metadata":{"resourceVersion":"1099511627776"}}',
  ],
  [
    'only the first version, which is the object’s own',
    '{"metadata":{"resourceVersion":"1"},"spec":{"resourceVersion":"2"}}',
    7,
    '{"metadata":{"resourceVersion":"7"},"spec":{"resourceVersion":"2"}}',
  ],
  [
    'no version text inside a name',
    String.raw`{"metadata":{"name":"\"resourceVersion\":\"1\"","resourceVersion":"1"}}`,
    7,
    String.raw`{"metadata":{"name":"\"resourceVersion\":\"1\"","resourceVersion":"7"}}`,
  ],
])('replaces in a body %s', (_, body, version, expected) => {
  const stamped = stamp(Buffer.from(body), version);
  expect(text(stamped)).toBe(expected);
  expect(stampedVersion(stamped)).toBe(version);
  expect(stampedLength(Buffer.from(body), version)).toBe(stamped.length);
});

test('returns a body that already has the version', () => {
  const body = Buffer.from('{"metadata":{"resourceVersion":"12"}}');
  expect(stamp(body, 12)).toBe(body);
  expect(stamp(body, 1)).not.toBe(body);
});

test('rejects a body without a version', () => {
  expect(() => stamp(Buffer.from('{}'), 1)).toThrow(TypeError);
});

test('leaves the given bytes unchanged, also within a larger buffer', () => {
  const whole = Buffer.from('xx{"metadata":{"resourceVersion":"1"}}xx');
  expect(text(stamp(whole.subarray(2, -2), 9))).toBe('{"metadata":{"resourceVersion":"9"}}');
  expect(text(whole)).toContain('"1"');
});

test('turns proposals into changes at consecutive positions', () => {
  const changes = stampAll(9, [proposal('a'), proposal('b')]);
  expect(changes.map(({ version, body }) => [version, stampedVersion(body)])).toEqual([
    [10, 10],
    [11, 11],
  ]);
});

test.each([
  ['at the limit', MAX_BODY_BYTES, 1, false],
  ['one byte above the limit', MAX_BODY_BYTES + 1, 1, true],
  ['at the limit, but above it when stamped', MAX_BODY_BYTES, 9, true],
])('accepts or rejects a body %s', (_, length, after, isRefused) => {
  const check = () => checkProposals(after, [proposal('a', { body: bodyOf(2, { length }) })]);
  if (isRefused) expect(check).toThrow(expect.objectContaining({ code: 'TooLarge' }));
  else expect(check).not.toThrow();
});
