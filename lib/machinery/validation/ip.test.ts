import { describe, expect, test } from 'vitest';
import { FieldPath } from './field.ts';
import { isValidCIDR, isValidIP, isValidIPForLegacyField } from './ip.ts';

const at = FieldPath.of('f');

describe('addresses and networks', () => {
  test.each([
    ['10.0.0.1', []],
    ['2001:db8::1', []],
    ['x', ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']],
    ['10.0.0.01', ['must not have leading 0s']],
    [`${'0'.repeat(70)}1.2.3.4`, ['must not have leading 0s']],
    ['::00001', ['must not have leading 0s']],
    ['::ffff:01.2.3.4', ['must not have leading 0s']],
    ['::ffff:1.2.3.4', ['must not be an IPv4-mapped IPv6 address']],
    ['2001:DB8::1', ['must be in canonical form ("2001:db8::1")']],
  ])('are checked by isValidIP: %s', (text, messages) => {
    expect(isValidIP(at, text).map(({ detail }) => detail)).toEqual(messages);
  });

  test('accept leading zeros in an old field', () => {
    expect(isValidIPForLegacyField(at, '10.0.0.01', false)).toEqual([]);
  });

  test.each([
    ['10.0.0.0/8', []],
    ['2001:db8::/64', []],
    ['0.0.0.0/0', []],
    ['10.0.0.0/33', ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)']],
    ['10.0.0.0', ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)']],
    ['10.0.0.0/08', ['must not have leading 0s in IP or prefix length']],
    ['10.0.0.1/8', ['must not have bits set beyond the prefix length']],
    ['10.0.0.0/0000000008', ['must not have leading 0s in IP or prefix length']],
    ['::ffff:10.0.0.0/90', ['must not have an IPv4-mapped IPv6 address']],
    ['::ffff:10.0.0.0/104', ['must not have an IPv4-mapped IPv6 address']],
    ['2001:DB8::/64', ['must be in canonical form ("2001:db8::/64")']],
  ])('are checked by isValidCIDR: %s', (text, messages) => {
    expect(isValidCIDR(at, text).map(({ detail }) => detail)).toEqual(messages);
  });
});
