import { expect, test } from 'vitest';
import { anEndpoint, aServicePort } from '../testing/services.ts';
import { type Flow, staleFlows } from './cleanup.ts';

const flow = (destination: string, destinationPort: number, replySource: string, replySourcePort = 8080): Flow => ({
  source: '10.244.0.9',
  sourcePort: 40_000,
  destination,
  destinationPort,
  replySource,
  replySourcePort,
});
const DNS = aServicePort({
  protocol: 'UDP',
  number: 53,
  nodePort: 30053,
  externalIPs: ['1.2.3.4'],
  loadBalancerVIPs: ['5.6.7.8'],
});
const ENDPOINTS = [
  anEndpoint(1),
  anEndpoint(2, { isReady: false, isTerminating: true }),
  anEndpoint(3, { isServing: false }),
];

test.each<[string, Flow, boolean]>([
  ['to a serving endpoint', flow('10.96.0.5', 53, '10.244.0.1'), false],
  ['to one that terminates and serves', flow('10.96.0.5', 53, '10.244.0.2'), false],
  ['to one that does not serve', flow('10.96.0.5', 53, '10.244.0.3'), true],
  ['to one that is gone', flow('10.96.0.5', 53, '10.244.0.7'), true],
  ['to no endpoint: it began before the rules', flow('10.96.0.5', 53, '10.96.0.5', 53), true],
  ['of an external address', flow('1.2.3.4', 53, '10.244.0.7'), true],
  ['of the load balancer', flow('5.6.7.8', 53, '10.244.0.7'), true],
  ['of a node port', flow('192.0.2.1', 30053, '10.244.0.7'), true],
  ['of another port', flow('10.96.0.5', 54, '10.244.0.7'), false],
])('detects whether a flow is stale: %s', (_, one, isStale) => {
  expect(staleFlows([one], [{ port: DNS, endpoints: ENDPOINTS }]).length).toBe(isStale ? 1 : 0);
});

test('keeps TCP flows and the flows of Services without endpoints', () => {
  const one = flow('10.96.0.5', 53, '10.244.0.7');
  expect(staleFlows([one], [{ port: { ...DNS, protocol: 'TCP' }, endpoints: ENDPOINTS }])).toEqual([]);
  expect(staleFlows([one], [{ port: DNS, endpoints: [] }])).toEqual([]);
});
