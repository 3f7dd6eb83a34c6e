import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { containerOf, podOf } from '../testing/decoded-pod.ts';
import { containerOOMScoreAdjust, qosClassOf } from './policy.ts';

const MEMORY = 8_000_000_000;
const requests = (memory: number): JsonObject => ({ requests: { memory: String(memory) } });
const main = { name: 'main', resources: requests(MEMORY / 8) };
const sidecar = (memory: number): JsonObject => ({
  name: 'side',
  restartPolicy: 'Always',
  resources: requests(memory),
});
const bare = (name: string): JsonObject => ({ name });
const pod = { requests: { memory: String(MEMORY / 4) }, limits: { memory: String(MEMORY / 4 + 1000) } };

test.each<[string, JsonObject, string, bigint]>([
  ['a CPU limit', { containers: [{ name: 'c', resources: { limits: { cpu: '10' } } }] }, 'c', 999n],
  [
    'a memory limit without a request',
    { containers: [{ name: 'c', resources: { limits: { memory: '10G' } } }] },
    'c',
    999n,
  ],
  ['a limit of zero', { containers: [{ name: 'c', resources: { limits: { memory: '0' } } }] }, 'c', 1000n],
  ['no resources', { containers: [bare('c')] }, 'c', 1000n],
  [
    'equal requests and limits',
    {
      containers: [
        { name: 'c', resources: { requests: { cpu: '5m', memory: '10G' }, limits: { cpu: '5m', memory: '10G' } } },
      ],
    },
    'c',
    -997n,
  ],
  ['a request of half the memory', { containers: [{ name: 'c', resources: requests(MEMORY / 2) }] }, 'c', 500n],
  ['a request of almost all memory', { containers: [{ name: 'c', resources: requests(MEMORY - 1) }] }, 'c', 3n],
  [
    'a critical pod of the cluster',
    { priorityClassName: 'system-cluster-critical', priority: 2e9, containers: [bare('c')] },
    'c',
    1000n,
  ],
  [
    'a critical pod of the node',
    { priorityClassName: 'system-node-critical', priority: 2e9 + 1000, containers: [bare('c')] },
    'c',
    -997n,
  ],
  [
    'a sidecar with the request of the main container',
    { initContainers: [sidecar(MEMORY / 8)], containers: [main] },
    'side',
    875n,
  ],
  ['a sidecar with a lower request', { initContainers: [sidecar(MEMORY / 20)], containers: [main] }, 'side', 875n],
  ['a sidecar with a higher request', { initContainers: [sidecar(MEMORY / 2)], containers: [main] }, 'side', 500n],
  [
    'an init container with a lower request',
    { initContainers: [{ name: 'i', resources: requests(MEMORY / 20) }], containers: [main] },
    'i',
    950n,
  ],
  ['a share of the pod-level request', { resources: pod, containers: [bare('a'), bare('b')] }, 'a', 875n],
  [
    'its own request and a share of the pod-level rest',
    { resources: pod, containers: [main, bare('b')] },
    'main',
    813n,
  ],
])('computes the OOM score for %s', (_, spec, name, expected) => {
  const given = podOf(spec);
  expect(containerOOMScoreAdjust(given, containerOf(given, name), BigInt(MEMORY))).toBe(expected);
});

test('uses the QoS class from the status, or else computes it', () => {
  const given = podOf({ containers: [bare('c')] });
  expect(qosClassOf(given)).toBe('BestEffort');
  expect(qosClassOf({ ...given, status: { qosClass: 'Guaranteed' } })).toBe('Guaranteed');
});
