import { describe, expect, test } from 'vitest';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import { renewedLease } from './lease.ts';
import { newNode, nodeNames, reportOf } from './node.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const MINUTE = 60_000;
const fresh = (index = 0): JsonObject => newNode(index, { hasOwnRange: true, now: NOW });
const addressOf = (node: JsonObject): string => text(items(objectAt(node, 'status'), 'addresses')[0], 'address');

test('a new node is ready, and says that it is simulated', () => {
  expect(fresh()).toMatchObject({
    metadata: {
      name: 'simulated-0',
      labels: { 'davit.dev/simulated': 'true', 'kubernetes.io/hostname': 'simulated-0' },
    },
    spec: { podCIDR: '10.244.0.0/24', podCIDRs: ['10.244.0.0/24'] },
    status: {
      allocatable: { cpu: '32', pods: '110' },
      nodeInfo: { containerRuntimeVersion: expect.stringMatching(/^simulated:\/\//) },
    },
  });
  const conditions = items(objectAt(fresh(), 'status'), 'conditions').map(
    (one) => `${text(one, 'type')}=${text(one, 'status')}`,
  );
  expect(conditions).toEqual(['MemoryPressure=False', 'DiskPressure=False', 'PIDPressure=False', 'Ready=True']);
});

test('no two nodes share addresses', () => {
  const nodes = nodeNames(2000).map((_, index) => fresh(index));
  expect(nodes).toHaveLength(1024);
  expect(new Set(nodes.map(addressOf)).size).toBe(1024);
  expect(new Set(nodes.map((node) => text(objectAt(node, 'spec'), 'podCIDR'))).size).toBe(1024);
});

test('a node to which others give a range claims none', () => {
  expect(newNode(0, { hasOwnRange: false, now: NOW })['spec']).toEqual({});
});

describe('the status is reported', () => {
  const lost = (node: JsonObject): JsonObject => {
    const status = objectAt(node, 'status') ?? {};
    const conditions = items(status, 'conditions').map((one) => ({ ...one, status: 'Unknown' }));
    return {
      ...node,
      status: { ...status, conditions: [...conditions, { type: 'NetworkUnavailable', status: 'False' }] },
    };
  };

  test.each([
    ['not within five minutes', fresh(), 5 * MINUTE - 1, false],
    ['after five minutes', fresh(), 5 * MINUTE, true],
    ['at once where others say otherwise', lost(fresh()), 1000, true],
    ['where the clock went back', fresh(), -MINUTE, true],
  ])('%s', (_, node, after, expected) => {
    expect(reportOf(node, 0, NOW + after) !== undefined).toBe(expected);
  });

  test('with conditions of others, and times that change with a status alone', () => {
    const status = reportOf(lost(fresh()), 0, NOW + MINUTE);
    expect(items(status, 'conditions').map((one) => text(one, 'type'))).toContain('NetworkUnavailable');
    const times = (from: JsonObject, after: number): unknown[] =>
      items(reportOf(from, 0, NOW + after), 'conditions').map((one) => one['lastTransitionTime']);
    expect(times(fresh(), 6 * MINUTE)).toEqual(Array.from({ length: 4 }, () => '2026-01-01T00:00:00Z'));
    expect(times(lost(fresh()), MINUTE).slice(1)).toEqual(Array.from({ length: 4 }, () => '2026-01-01T00:01:00Z'));
  });
});

describe('the lease', () => {
  const node = { ...fresh(), metadata: { name: 'simulated-0', uid: 'u' } };
  const lease = renewedLease(node, undefined, NOW);

  test('is the node’s, for 40 seconds', () => {
    expect(lease).toMatchObject({
      metadata: { namespace: 'kube-node-lease', name: 'simulated-0', ownerReferences: [{ kind: 'Node', uid: 'u' }] },
      spec: { holderIdentity: 'simulated-0', leaseDurationSeconds: 40, renewTime: '2026-01-01T00:00:00.000000Z' },
    });
  });

  test.each([
    ['not before ten seconds', 9999, undefined],
    ['after ten seconds', 10_000, '2026-01-01T00:00:10.000000Z'],
    ['where the clock went back', -1000, '2025-12-31T23:59:59.000000Z'],
  ])('is renewed %s', (_, after, expected) => {
    expect(objectAt(renewedLease(node, lease, NOW + after), 'spec')?.['renewTime']).toBe(expected);
  });
});
