import { describe, expect, test } from 'vitest';
import { formatCheck, isRecognizedFormat } from './formats.ts';
import { formatFloat, kindOf, runeCount } from './kinds.ts';

const CASES: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['date', ['2024-02-29'], ['2023-02-29', '2024-13-01', '24-01-01']],
  [
    'date-time',
    ['2024-01-01T10:00:00Z', '2024-01-01t10:00:00.5+01:00'],
    ['2024-01-01 10:00:00Z', '2024-01-01T24:00:00Z'],
  ],
  [
    'duration',
    ['1h30m', '-0.5s', '22 ns', '3 days'],
    ['', 'soon', '5 parsecs', '5 !h', '99999999999999999999h', '1'.repeat(100_000)],
  ],
  ['ipv4', ['10.0.0.1', '010.0.0.1'], ['10.0.0', '10.0.0.256', '::1']],
  [
    'ipv6',
    ['::1', 'fe80::1', '::ffff:10.0.0.1', '1:2:3:4:5:6:7:8'],
    ['1:2', ':::', '1::2::3', '10.0.0.1', 'fe80::1%eth0'],
  ],
  ['cidr', ['10.0.0.0/8', 'fd00::/64'], ['10.0.0.0', '10.0.0.0/33', 'x/1']],
  ['mac', ['01:23:45:67:89:ab', '0123.4567.89ab'], ['01:23:45', '01:23:45:67:89:zz']],
  ['uri', ['https://example.com/a?b', '/path', 'urn:x'], ['', 'relative', 'http://a b/', 'http://h:x/', '/%zz']],
  [
    'uri',
    ['http://[::1]:80/', 'http://[::ffff:1.2.3.4]', 'http://[::1%25eth0]/', 'http://[::1]:'],
    [
      'http://[:1]:80',
      'http://::1]:80',
      'http://[[::1]:80',
      'http://[1.2.3.4]',
      'http://[::1.2.3.04]',
      'http://[::1%25]/',
      'http://[fe80::1%eth0]',
    ],
  ],
  [
    'email',
    ['a@b.c', 'A B <a@b.c>', 'a@[1.2.3.4]', 'A <a@[::1]>'],
    ['a', '@b', 'a@b@c', 'a@[1.2.3.x]', 'a@[1.2.3.04]', 'a@[IPv6:::1]'],
  ],
  ['hostname', ['example.com', 'a-b'], ['a..b', 'x'.repeat(300)]],
  ['uuid', ['123e4567-e89b-12d3-a456-426614174000'], ['123e4567']],
  ['uuid4', ['123e4567-e89b-42d3-a456-426614174000'], ['123e4567-e89b-12d3-a456-426614174000']],
  ['byte', ['YQ==', 'YWJj'], ['YQ=', '*']],
  ['isbn', ['0321751043', '978-0321751041'], ['0321751044', '1']],
  ['creditcard', ['4111 1111 1111 1111'], ['4111111111111112']],
  ['ssn', ['111-11-1111'], ['111111111']],
  ['hexcolor', ['#fff', 'ABCDEF'], ['#ffff']],
  ['rgbcolor', ['rgb(255,0,10)'], ['rgb(256,0,0)']],
  ['bsonobjectid', ['507f1f77bcf86cd799439011'], ['507f']],
  ['k8s-short-name', ['a-b'], ['a.b', 'A']],
  ['k8s-long-name', ['a.b'], ['a..b']],
];

describe.each(CASES)('format %s', (format, valid, invalid) => {
  test.each(valid)('accepts %s', (text) => expect(formatCheck(format)?.(text)).toBe(true));
  test.each(invalid)('rejects %j', (text) => expect(formatCheck(format)?.(text)).toBe(false));
});

test.each([
  ['string', 'date', true],
  ['string', 'madeup', false],
  ['', 'ipv4', true],
  ['integer', 'int32', true],
  ['integer', 'float', false],
  ['number', 'double', true],
  ['object', 'date', false],
])('checks a format of %s: %s', (type, format, known) => expect(isRecognizedFormat(type, format)).toBe(known));

test.each([
  [1, '1'],
  [0.5, '0.5'],
  [1e21, '1e+21'],
  [1e20, '100000000000000000000'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
])('formats %d like Go as %s', (value, text) => expect(formatFloat(value)).toBe(text));

test.each([
  [1, 'integer'],
  [2n ** 60n, 'integer'],
  [1.5, 'number'],
  [1e20, 'number'],
  [null, 'null'],
  [[], 'array'],
])('determines for %s the kind %s', (value, kind) => expect(kindOf(value)).toBe(kind));

test('counts code points', () => expect([runeCount('a👍'), runeCount('')]).toEqual([2, 0]));
