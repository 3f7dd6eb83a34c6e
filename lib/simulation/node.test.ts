import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Node } from '#lib/api/types/core.v1.ts';
import { NODES } from '#lib/api/types/resources.ts';
import { renewedLease } from './lease.ts';
import { newNode, nodeNames, reportOf } from './node.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const MINUTE = 60_000;
const fresh = (index = 0): Node => decodedAs(NODES, newNode(index, { hasOwnRange: true, now: NOW }));
const addressOf = ({ status }: Node): string | undefined => status.addresses?.[0]?.address;

test('creates a ready node that is marked as simulated', () => {
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
  const conditions = fresh().status.conditions?.map(({ type, status }) => `${type}=${status}`);
  expect(conditions).toEqual(['MemoryPressure=False', 'DiskPressure=False', 'PIDPressure=False', 'Ready=True']);
});

test('gives every node a different address', () => {
  const nodes = nodeNames(2000).map((_, index) => fresh(index));
  expect(nodes).toHaveLength(1024);
  expect(new Set(nodes.map(addressOf)).size).toBe(1024);
  expect(new Set(nodes.map(({ spec }) => spec.podCIDR)).size).toBe(1024);
});

test('sets no pod CIDR on a node if a controller allocates it', () => {
  expect(newNode(0, { hasOwnRange: false, now: NOW })['spec']).toEqual({});
});

describe('the status of a simulated node', () => {
  const lost = (node: Node): Node => {
    const conditions = (node.status.conditions ?? []).map((one) => ({ ...one, status: 'Unknown' }));
    const other = { type: 'NetworkUnavailable', status: 'False', lastHeartbeatTime: null, lastTransitionTime: null };
    return { ...node, status: { ...node.status, conditions: [...conditions, other] } };
  };

  test.each([
    ['not within five minutes', fresh(), 5 * MINUTE - 1, false],
    ['after five minutes', fresh(), 5 * MINUTE, true],
    ['at once after another client changed a condition', lost(fresh()), 1000, true],
    ['after the clock went back', fresh(), -MINUTE, true],
  ])('is reported %s', (_, node, after, expected) => {
    expect(reportOf(node, 0, NOW + after) !== undefined).toBe(expected);
  });

  test('keeps the conditions of other writers, and changes times only with a status', () => {
    const status = reportOf(lost(fresh()), 0, NOW + MINUTE);
    expect(status?.conditions?.map(({ type }) => type)).toContain('NetworkUnavailable');
    const times = (from: Node, after: number): unknown[] =>
      (reportOf(from, 0, NOW + after)?.conditions ?? []).map(({ lastTransitionTime }) => lastTransitionTime);
    expect(times(fresh(), 6 * MINUTE)).toEqual(Array.from({ length: 4 }, () => '2026-01-01T00:00:00Z'));
    expect(times(lost(fresh()), MINUTE).slice(1)).toEqual(Array.from({ length: 4 }, () => '2026-01-01T00:01:00Z'));
  });
});

describe('the Lease of a simulated node', () => {
  const node = { ...fresh(), metadata: { name: 'simulated-0', uid: 'u' } };
  const lease = renewedLease(node, undefined, NOW);

  test('names its node as holder for 40 seconds', () => {
    expect(lease).toMatchObject({
      metadata: { namespace: 'kube-node-lease', name: 'simulated-0', ownerReferences: [{ kind: 'Node', uid: 'u' }] },
      spec: { holderIdentity: 'simulated-0', leaseDurationSeconds: 40, renewTime: '2026-01-01T00:00:00.000000Z' },
    });
  });

  test.each([
    ['not before ten seconds', 9999, undefined],
    ['after ten seconds', 10_000, '2026-01-01T00:00:10.000000Z'],
    ['after the clock went back', -1000, '2025-12-31T23:59:59.000000Z'],
  ])('is renewed %s', (_, after, expected) => {
    expect(renewedLease(node, lease, NOW + after)?.spec.renewTime).toBe(expected);
  });
});
