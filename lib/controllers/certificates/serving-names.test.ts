import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Node } from '#lib/api/types/core.v1.ts';
import { NODES } from '#lib/api/types/resources.ts';
import { servingFault } from './serving-names.ts';

const aNode = (name: string, ...addresses: string[]): Node =>
  decodedAs(NODES, {
    metadata: { name },
    status: { addresses: addresses.map((address) => ({ type: 'InternalIP', address })) },
  });

const OWN = `10.0.0.1 fd00::1 n1 n1.example.com 10.0.0.9 shared.example.com
  127.0.0.1 169.254.169.254 ::1 fe80::1 0.0.0.0 224.0.0.1 10.96.0.1 ::ffff:127.0.0.1
  localhost kubernetes kubernetes.default kubernetes.default.svc x.ns.svc.cluster.local
  *.example.com N1 a.localhost`;
const node = aNode('n1', ...OWN.split(/\s+/));
const nodes = [node, aNode('n2', '10.0.0.2', '10.0.0.9', 'shared.example.com', 'fd00::2'), aNode('n3')];

const fault = (...names: string[]): string | undefined => {
  const isAddress = (name: string): boolean => /^[\d.]+$|:/.test(name);
  return servingFault({ dns: names.filter((name) => !isAddress(name)), ip: names.filter(isAddress) }, node, nodes);
};

test.each([
  ['one of its addresses', ['10.0.0.1']],
  ['all of its names and addresses', ['10.0.0.1', 'fd00::1', 'n1', 'n1.example.com']],
  ['an address in non-canonical form', ['FD00:0:0:0:0:0:0:1']],
])('allows a node to serve under %s', (_, names) => {
  expect(fault(...names)).toBeUndefined();
});

test.each([
  ['10.0.0.3', '10.0.0.3 is no address in the status of node n1'],
  ['n2', 'n2 is no address in the status of node n1'],
  ['10.0.0.2', '10.0.0.2 is no address in the status of node n1'],
  ['10.0.0.9', '10.0.0.9 is an address of node n2, too'],
  ['shared.example.com', 'shared.example.com is an address of node n2, too'],
  ['127.0.0.1', '127.0.0.1 may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  ['::ffff:127.0.0.1', '::ffff:127.0.0.1 may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  ['::1', '::1 may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  ['169.254.169.254', '169.254.169.254 may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  ['fe80::1', 'fe80::1 may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  ['0.0.0.0', '0.0.0.0 may not be unspecified (0.0.0.0)'],
  ['224.0.0.1', '224.0.0.1 may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
  ['10.96.0.1', "10.96.0.1 is the address of the API server's Service"],
  ['localhost', 'localhost is a name of Services or of every machine'],
  ['a.localhost', 'a.localhost is a name of Services or of every machine'],
  ['kubernetes', 'kubernetes is a name of Services or of every machine'],
  ['kubernetes.default', 'kubernetes.default is a name of Services or of every machine'],
  ['kubernetes.default.svc', 'kubernetes.default.svc is a name of Services or of every machine'],
  ['x.ns.svc.cluster.local', 'x.ns.svc.cluster.local is a name of Services or of every machine'],
  ['*.example.com', '*.example.com is no DNS name of a host'],
  ['N1', 'N1 is no DNS name of a host'],
  ['', ' is no DNS name of a host'],
])('refuses %s, even together with the node’s own names', (name, message) => {
  expect(fault(name)).toBe(message);
  expect(fault('10.0.0.1', 'n1', name)).toBe(message);
});

test('refuses an IP address as DNS name', () => {
  expect(servingFault({ dns: ['10.0.0.1'], ip: [] }, node, nodes)).toBe('10.0.0.1 is no DNS name of a host');
});

test('refuses every name of a node without addresses', () => {
  expect(servingFault({ dns: ['n1'], ip: [] }, aNode('n1'), [])).toContain('no address in the status');
});
