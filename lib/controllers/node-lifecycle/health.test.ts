import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Lease } from '#lib/api/types/coordination.v1.ts';
import type { Node } from '#lib/api/types/core.v1.ts';
import { NODES, LEASES } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { heartbeatOf, Heartbeats, lostConditions } from './health.ts';
import { scheduleTaints } from './taints.ts';

const at = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000', '');
const aNode = (conditions: readonly JsonObject[], spec: JsonObject = {}): Node =>
  decodedAs(NODES, {
    metadata: { name: 'n', creationTimestamp: at(10) },
    spec,
    status: { conditions: [...conditions] },
  });
const ready = (status: string): JsonObject => ({ type: 'Ready', status, lastHeartbeatTime: at(20) });
const lease = decodedAs(LEASES, { spec: { renewTime: '1970-01-01T00:00:30.500000Z' } });

test.each<[string, Node, Lease | undefined, number | undefined]>([
  ['never said anything', aNode([]), undefined, 10_000],
  ['said how it is', aNode([ready('True')]), undefined, 20_000],
  ['renewed its lease', aNode([ready('True')]), lease, 30_500],
  ['has a lease alone', aNode([]), lease, 30_500],
  ['is said to be ready, without a time', aNode([{ type: 'Ready', status: 'True' }]), undefined, undefined],
])('reads the last sign of life of a node that %s', (_, node, held, expected) =>
  expect(heartbeatOf(node, held)).toBe(expected),
);

test('counts by its own clock once a node was seen to live', () => {
  const heartbeats = new Heartbeats();
  const clock = new ManualClock(50_000);
  expect(heartbeats.note('n', 1000, clock)).toBe(-49_000);
  clock.advance(10_000);
  expect(heartbeats.note('n', 1000, clock)).toBe(-49_000);
  expect(heartbeats.note('n', 2000, clock)).toBe(10_000);
  expect(heartbeats.note('ahead', 500_000, clock)).toBe(10_000);
  expect(heartbeats.note('silent', undefined, clock)).toBe(10_000);
  clock.advance(10_000);
  expect(heartbeats.note('n', 2000, clock)).toBe(10_000);
  expect(heartbeats.note('silent', undefined, clock)).toBe(10_000);
  expect(heartbeats.note('silent', 1000, clock)).toBe(20_000);
});

test('sets all conditions of a lost node but those that others report to Unknown', () => {
  const network = { type: 'NetworkUnavailable', status: 'False' };
  const conditions = lostConditions(aNode([ready('True'), network]), 90_000) ?? [];
  expect(conditions.map(({ type, status, reason }) => [type, status, reason])).toEqual([
    ['Ready', 'Unknown', 'NodeStatusUnknown'],
    ['NetworkUnavailable', 'False', undefined],
    ['MemoryPressure', 'Unknown', 'NodeStatusNeverUpdated'],
    ['DiskPressure', 'Unknown', 'NodeStatusNeverUpdated'],
    ['PIDPressure', 'Unknown', 'NodeStatusNeverUpdated'],
  ]);
  expect(lostConditions(aNode(conditions), 99_000)).toBeUndefined();
});

const taint = (name: string) => ({ key: `node.kubernetes.io/${name}`, effect: 'NoSchedule', timeAdded: at(1) });

test.each<[string, Node, string[] | undefined]>([
  ['ready', aNode([ready('True')]), undefined],
  ['not ready', aNode([ready('False')]), ['not-ready']],
  ['lost', aNode([ready('Unknown')], { taints: [taint('not-ready')] }), ['unreachable']],
  ['short of memory', aNode([ready('True'), { type: 'MemoryPressure', status: 'True' }]), ['memory-pressure']],
  ['out of use', aNode([ready('True')], { unschedulable: true }), ['unschedulable']],
  ['in use again', aNode([ready('True')], { taints: [taint('unschedulable')] }), []],
  ['tainted by others', aNode([ready('True')], { taints: [{ key: 'mine', effect: 'NoSchedule' }] }), undefined],
])('keeps pods off a node that is %s', (_, node, expected) =>
  expect(scheduleTaints(node, 1000)?.map(({ key }) => key.split('/')[1])).toEqual(expected),
);
