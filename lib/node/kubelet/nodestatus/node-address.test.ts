import { describe, expect, test } from 'vitest';
import { someFacts } from '../testing/facts.ts';
import { type AddressFacts, nodeAddress } from './node-address.ts';

const FACTS = someFacts().address;
const { network } = FACTS;
const internal = (facts: Partial<AddressFacts>): string =>
  nodeAddress({ ...FACTS, ...facts })
    .filter(({ type }) => type === 'InternalIP')
    .map(({ address }) => address)
    .join();

test('lists the InternalIP before the Hostname', () => {
  expect(nodeAddress({ ...FACTS, hostname: 'host' })).toEqual([
    { type: 'InternalIP', address: '192.0.2.7' },
    { type: 'Hostname', address: 'host' },
  ]);
});

const noRoute = { ...network, defaultRoutes: undefined };
const sixth = {
  ...network,
  defaultRoutes: [...(network.defaultRoutes ?? []), { interface: 'eth0', family: 6 as const }],
};
const onLoopback = {
  interfaces: [
    { name: 'lo', loopback: true, addresses: ['127.0.0.1', '198.51.100.1'] },
    { name: 'eth0', loopback: false, addresses: ['169.254.0.2'] },
  ],
  defaultRoutes: network.defaultRoutes,
};

test.each<readonly [string, Partial<AddressFacts>, string]>([
  ['the interface of the default route', {}, '192.0.2.7'],
  ['the flag', { nodeIPs: ['2001:db8::7'] }, '2001:db8::7'],
  ['both flags', { nodeIPs: ['192.0.2.7', '2001:db8::7'] }, '192.0.2.7,2001:db8::7'],
  ['a flag in its canonical form', { nodeIPs: ['2001:DB8:0::7'] }, '2001:db8::7'],
  ['a hostname that is an address', { hostname: '203.0.113.9' }, '203.0.113.9'],
  ['the address of the name', { lookedUp: ['192.0.2.7'] }, '192.0.2.7'],
  ['the IPv4 address of the name', { lookedUp: ['2001:db8::7', '192.0.2.7'] }, '192.0.2.7'],
  ['another family of the name before that of a route', { lookedUp: ['2001:db8::7'] }, '2001:db8::7'],
  ['no loopback address of the name', { lookedUp: ['127.0.1.1'] }, '192.0.2.7'],
  ["none of another host's addresses", { lookedUp: ['198.51.100.4'] }, '192.0.2.7'],
  ['the other family with ::', { nodeIPs: ['::'], network: sixth }, '2001:db8::7'],
  ['the same family with 0.0.0.0', { nodeIPs: ['0.0.0.0'], network: sixth }, '192.0.2.7'],
  ['any interface if routes are unknown', { network: noRoute }, '192.0.2.7'],
  ['a global address of the loopback interface', { network: onLoopback }, '198.51.100.1'],
])('chooses as the address %s', (_, facts, address) => {
  expect(internal(facts)).toBe(address);
});

describe('invalid node addresses', () => {
  test.each<readonly [string, Partial<AddressFacts>, string]>([
    ['a loopback flag', { nodeIPs: ['127.0.0.1'] }, "failed to validate nodeIP: nodeIP can't be loopback address"],
    ['a multicast flag', { nodeIPs: ['224.0.1.1'] }, "nodeIP can't be a multicast address"],
    ['a link-local flag', { nodeIPs: ['fe80::1'] }, "nodeIP can't be a link-local unicast address"],
    [
      "a flag with another host's address",
      { nodeIPs: ['192.0.2.8'] },
      'node IP: "192.0.2.8" not found in the host\'s network interfaces',
    ],
    [
      "a second flag with another host's address",
      { nodeIPs: ['192.0.2.7', '2001:db8::8'] },
      'node IP: "2001:db8::8" not found',
    ],
    ['an invalid flag', { nodeIPs: ['host'] }, 'nodeIP must be a valid IP address'],
    [
      'a host that has no routes',
      { network: { ...network, defaultRoutes: [] } },
      "can't get ip address of node n1. error: unable",
    ],
  ])('rejects a node with %s', (_, facts, message) => {
    expect(() => internal(facts)).toThrow(message);
  });
});
