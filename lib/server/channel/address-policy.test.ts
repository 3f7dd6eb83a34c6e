import { BlockList, isIPv4 } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isForbidden } from './address-policy.ts';

const METADATA = ['169.254.169.254', '100.100.100.200', '192.0.0.192', '168.63.129.16', '224.0.0.1', '0.0.0.1'];

describe.each(METADATA)('%s is forbidden', (address) => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const hex = (high: number, low: number): string => (high * 256 + low).toString(16);

  test.each(['', '::ffff:', '64:ff9b::', '64:ff9b:1::', '::ffff:0:'])('rejects it embedded after %j', (prefix) => {
    expect(isForbidden(prefix + address)).toBe(true);
    if (prefix !== '') expect(isForbidden(`${prefix}${hex(a, b)}:${hex(c, d)}`)).toBe(true);
  });

  test('rejects it in 6to4 form', () => {
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
])('rejects the address %s', (address) => {
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
])('allows the address %s', (address) => {
  expect(isForbidden(address)).toBe(false);
});

test.each(['', 'localhost', '1.2.3', '::g', '%lo'])('rejects %j, which is not an address', (text) => {
  expect(isForbidden(text)).toBe(true);
});

describe('comparison with a BlockList of Node', () => {
  const networks: readonly (readonly [string, number])[] = [
    ['169.254.0.0', 16],
    ['100.100.100.200', 32],
    ['192.0.0.192', 32],
    ['168.63.129.16', 32],
    ['224.0.0.0', 4],
    ['255.255.255.255', 32],
  ];
  const hex = (address: string): string => {
    const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  };
  const list = new BlockList();
  list.addSubnet('fe80::', 10, 'ipv6');
  list.addSubnet('fd00:ec2::', 32, 'ipv6');
  list.addAddress('fd20:ce::254', 'ipv6');
  list.addAddress('::', 'ipv6');
  list.addSubnet('ff00::', 8, 'ipv6');
  for (const [address, length] of [...networks, ['0.0.0.0', 8] as const]) {
    list.addSubnet(address, length, 'ipv4');
    for (const prefix of ['64:ff9b::', '64:ff9b:1::', '::ffff:0:'])
      list.addSubnet(prefix + address, 96 + length, 'ipv6');
    list.addSubnet(`2002:${hex(address)}::`, 16 + length, 'ipv6');
  }
  for (const [address, length] of networks) list.addSubnet(`::${address}`, 96 + length, 'ipv6');
  const check = (address: string): boolean => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');

  /** Addresses at and next to the boundaries of every network, and arbitrary others. */
  const near = fc.constantFrom(
    ...networks.flatMap(([address, length]) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
      const first = ((a * 256 + b) * 256 + c) * 256 + d;
      const last = first + 2 ** (32 - length) - 1;
      return [first - 1, first, last, last + 1].map((n) => Math.min(Math.max(n, 0), 2 ** 32 - 1));
    }),
    0,
    1,
    2 ** 24 - 1,
    2 ** 24,
    127 * 2 ** 24 + 1,
  );
  const ipv4 = fc
    .oneof(near, fc.nat({ max: 2 ** 32 - 1 }))
    .map((n) => [24, 16, 8, 0].map((bits) => Math.floor(n / 2 ** bits) % 256).join('.'));
  const written = fc
    .tuple(ipv4, fc.constantFrom('', '::ffff:', '::', '64:ff9b::', '64:ff9b:1::', '::ffff:0:', '64:ff9b:0:1::'))
    .map(([address, prefix]) => prefix + address);
  const of6to4 = fc
    .tuple(ipv4, fc.constantFrom('::', '::1', ':1::2'))
    .map(([address, end]) => `2002:${hex(address)}${end}`);
  const group = fc.constantFrom(
    '0',
    '1',
    'fe80',
    'febf',
    'fec0',
    'fd00',
    'ec2',
    'ec3',
    'fd20',
    'ce',
    '254',
    'ff02',
    'ffff',
  );
  const ipv6 = fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(':'));

  test.each([
    ['IPv4, and IPv4 in IPv6', written],
    ['6to4', of6to4],
    ['IPv6', ipv6],
    [
      'edges of IPv6',
      fc.constantFrom(
        'fe80::',
        'febf:ffff::1',
        'fec0::',
        'fe7f::1',
        'fd00:ec2::254',
        'fd00:ec1:ffff::',
        'fd00:ec3::',
        'fd20:ce::254',
        'fd20:ce::255',
        '::',
        '::1',
        'ff00::',
        'feff::',
      ),
    ],
  ])('agrees on %s', (_, addresses) => {
    fc.assert(
      fc.property(addresses, (address) => {
        expect(isForbidden(address), address).toBe(check(address));
      }),
      { numRuns: 2000 },
    );
  });
});
