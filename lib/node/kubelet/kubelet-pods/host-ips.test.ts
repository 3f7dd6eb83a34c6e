import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { NODES } from '#lib/api/types/resources.ts';
import { nodeHostIPs, sortPodIPs } from './host-ips.ts';

const nodeOf = (...addresses: [string, string][]) =>
  decodedAs(NODES, { status: { addresses: addresses.map(([type, address]) => ({ type, address })) } });

test.each<[[string, string][], string[]]>([
  [
    [
      ['InternalIP', '1.2.3.4'],
      ['ExternalIP', '4.3.2.1'],
    ],
    ['1.2.3.4'],
  ],
  [
    [
      ['ExternalIP', '4.3.2.1'],
      ['Hostname', 'n1'],
    ],
    ['4.3.2.1'],
  ],
  [
    [
      ['ExternalIP', '4.3.2.1'],
      ['InternalIP', '1.2.3.4'],
    ],
    ['1.2.3.4'],
  ],
  [
    [
      ['InternalIP', '1.2.3.4'],
      ['InternalIP', '4.3.2.1'],
      ['InternalIP', 'a:b::c:d'],
    ],
    ['1.2.3.4', 'a:b::c:d'],
  ],
  [
    [
      ['InternalIP', 'A:B::C:D'],
      ['ExternalIP', '1.2.3.4'],
    ],
    ['a:b::c:d', '1.2.3.4'],
  ],
])('selects for a node with %j the addresses %j', (addresses, ips) => {
  expect(nodeHostIPs(nodeOf(...addresses))).toEqual(ips);
});

test('rejects a node without an address', () => {
  expect(() => nodeHostIPs(nodeOf(['Hostname', 'n1']))).toThrow('host IP unknown; known addresses: [{Hostname n1}]');
});

test.each([
  [[], [], []],
  [['10.0.0.1', '10.0.0.2', 'fd01::1', 'fd01::2'], [], ['10.0.0.1', 'fd01::1']],
  [['fd01::1', '10.0.0.1'], ['192.168.1.1'], ['10.0.0.1', 'fd01::1']],
  [['10.0.0.1', 'FD01:0::1'], ['2001:db8::1'], ['fd01::1', '10.0.0.1']],
  [['fd01::1'], ['192.168.1.1'], ['fd01::1']],
  [['nonsense', '010.1.2.3'], [], ['10.1.2.3']],
])('sorts pod addresses %j on a node with %j to %j', (podIPs, nodeIPs, expected) => {
  expect(sortPodIPs(podIPs, nodeIPs)).toEqual(expected);
});
