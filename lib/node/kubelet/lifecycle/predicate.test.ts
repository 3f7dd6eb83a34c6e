import { expect, test } from 'vitest';
import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import { initialNode } from '../initial-node.ts';
import { someFacts } from '../testing/facts.ts';
import { type PredicatePorts, predicateAdmitHandler } from './predicate.ts';

const FACTS = someFacts();
const aNode = (change: (node: Node) => void = () => undefined): Node => {
  const node = initialNode(FACTS, { labels: {}, taints: [], providerID: '' }, new Date(0));
  node.status.allocatable = { cpu: '1', memory: '1Gi', pods: '2', 'example.com/foo': '1' };
  change(node);
  return node;
};
const aPod = (name: string, spec: Partial<Pod['spec']> = {}, requests: Record<string, string> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', uid: name },
  spec: { nodeName: FACTS.address.nodeName, containers: [{ name: 'c', image: 'i', resources: { requests } }], ...spec },
  status: {},
});
const ports = (node: Node, more: Partial<PredicatePorts> = {}): PredicatePorts => ({
  node: async () => node,
  updatePluginResources: (same) => same,
  handleFailure: async (_, failures) => failures,
  ...more,
});
const verdict = async (pod: Pod, others: Pod[] = [], node = aNode()) => {
  const result = await predicateAdmitHandler(ports(node)).admit(pod, others);
  return result.admit ? 'admitted' : `${result.reason}: ${result.message}`;
};
const port = (hostPort: number) => [
  { name: 'c', image: 'i', resources: {}, ports: [{ containerPort: 80, hostPort, protocol: 'TCP' }] },
];

test.each([
  ['that fits', aPod('a', {}, { cpu: '1' }), [], 'admitted'],
  [
    'with a request that is too large',
    aPod('a', {}, { cpu: '600m' }),
    [aPod('b', {}, { cpu: '500m' })],
    "OutOfcpu: Node didn't have enough resource: cpu, requested: 600, used: 500, capacity: 1000",
  ],
  [
    'beyond the number of pods',
    aPod('a'),
    [aPod('b'), aPod('c')],
    "OutOfpods: Node didn't have enough resource: pods, requested: 1, used: 2, capacity: 2",
  ],
  [
    'with an extended resource in use',
    aPod('a', {}, { 'example.com/foo': '1' }),
    [aPod('b', {}, { 'example.com/foo': '1' })],
    "OutOfexample.com/foo: Node didn't have enough resource: example.com/foo, requested: 1, used: 1, capacity: 1",
  ],
  ['with an extended resource of the cluster', aPod('a', {}, { 'example.com/cluster': '5' }), [], 'admitted'],
  [
    'with a node selector that does not match',
    aPod('a', { nodeSelector: { disk: 'ssd' } }),
    [],
    "NodeAffinity: Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
  ],
  [
    'of another node',
    aPod('a', { nodeName: 'other' }),
    [],
    "NodeName: Predicate NodeName failed: node(s) didn't match the requested node name",
  ],
  [
    'with a host port in use',
    aPod('a', { containers: port(8080) }),
    [aPod('b', { containers: port(8080) })],
    "NodePorts: Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
  ],
  [
    'for another operating system',
    aPod('a', { os: { name: 'windows' } }),
    [],
    "PodOSNotSupported: Failed to admit pod as the OS field doesn't match node OS",
  ],
  [
    'with strict supplemental groups',
    aPod('a', { securityContext: { supplementalGroupsPolicy: 'Strict' } }),
    [],
    'SupplementalGroupsPolicyNotSupported: SupplementalGroupsPolicy=Strict is not supported in this node',
  ],
])('checks a pod %s', async (_, pod, others, expected) => {
  expect(await verdict(pod, others)).toBe(expected);
});

test('rejects a pod that does not tolerate a NoExecute taint, unless it is static', async () => {
  const node = aNode((one) => (one.spec.taints = [{ key: 'gone', effect: 'NoExecute' }]));
  const message = "TaintToleration: Predicate TaintToleration failed: node(s) had taints that the pod didn't tolerate";
  expect(await verdict(aPod('a'), [], node)).toBe(message);
  const still = aPod('a');
  still.metadata.annotations = { 'kubernetes.io/config.source': 'file' };
  expect(await verdict(still, [], node)).toBe('admitted');
});

test('reads recently changed labels from the API server', async () => {
  const [old, fresh] = [aNode(), aNode((one) => (one.metadata.labels = { disk: 'ssd' }))];
  const handler = predicateAdmitHandler(ports(old, { node: async (isFresh) => (isFresh ? fresh : old) }));
  expect(await handler.admit(aPod('a', { nodeSelector: { disk: 'ssd' } }), [])).toEqual({ admit: true });
});

test('rejects a pod if plugins allocate too little', async () => {
  const failing = ports(aNode(), {
    updatePluginResources() {
      throw new Error('no device');
    },
  });
  expect(await predicateAdmitHandler(failing).admit(aPod('a'), [])).toEqual({
    admit: false,
    reason: 'UnexpectedAdmissionError',
    message: 'Update plugin resources failed due to no device, which is unexpected.',
  });
});
