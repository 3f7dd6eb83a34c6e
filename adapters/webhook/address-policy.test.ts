import { describe, expect, test } from 'vitest';
import { isForbidden } from './address-policy.ts';

const METADATA = ['169.254.169.254', '100.100.100.200', '192.0.0.192', '168.63.129.16', '224.0.0.1', '0.0.0.1'];

describe.each(METADATA)('%s is forbidden', (address) => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const hex = (high: number, low: number): string => (high * 256 + low).toString(16);

  test.each(['', '::ffff:', '64:ff9b::', '64:ff9b:1::', '::ffff:0:'])('behind %j', (prefix) => {
    expect(isForbidden(prefix + address)).toBe(true);
    if (prefix !== '') expect(isForbidden(`${prefix}${hex(a, b)}:${hex(c, d)}`)).toBe(true);
  });

  test('by 6to4', () => {
    expect(isForbidden(`2002:${hex(a, b)}:${hex(c, d)}::1`)).toBe(true);
  });
});

test.each([
  '::169.254.169.254',
  '::100.100.100.200',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fe80::1',
  'fe80::1%lo',
  '::ffff:169.254.169.254%lo',
  'ff02::1',
  '::',
])('%s is forbidden', (address) => {
  expect(isForbidden(address)).toBe(true);
});

test.each([
  '127.0.0.1',
  '::1',
  '10.0.0.1',
  'fd00::1',
  '203.0.113.1',
  '2002:cb00:7101::1',
  '64:ff9b::203.0.113.1',
  '2001:db8::1',
])('%s is not', (address) => {
  expect(isForbidden(address)).toBe(false);
});
