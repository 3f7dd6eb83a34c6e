import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Lease } from '#lib/api/types/coordination.v1.ts';
import type { Node } from '#lib/api/types/core.v1.ts';
import { LEASES, NODES } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { Heartbeats, heartbeatOf, lostConditions } from './health.ts';
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
const takenAt = (seconds: number, { spec }: Lease): Lease => ({
  ...lease,
  spec,
  metadata: { managedFields: [{ manager: 'kubelet', operation: 'Update', time: at(seconds) }] },
});
const writtenBy = (seconds: number, fields: JsonObject): Node => {
  const node = aNode([ready('True')]);
  const fieldsV1 = { 'f:status': { 'f:conditions': { 'k:{"type":"Ready"}': fields } } };
  const written = { manager: 'm', operation: 'Update', subresource: 'status', time: at(seconds), fieldsV1 };
  return { ...node, metadata: { ...node.metadata, managedFields: [written] } };
};
const reported = (seconds: number): Node => writtenBy(seconds, { 'f:lastHeartbeatTime': {} });
const writtenByOthers = (seconds: number): Node => writtenBy(seconds, { 'f:status': {} });

test.each<[string, Node, Lease | undefined, number | undefined, boolean]>([
  ['never reported', aNode([]), undefined, 10_000, false],
  ['reported its status', aNode([ready('True')]), undefined, 20_000, true],
  ['renewed its lease', aNode([ready('True')]), lease, 30_500, true],
  ['has only a lease', aNode([]), lease, 30_500, true],
  ['renewed its lease with a wrong clock', aNode([ready('True')]), takenAt(40, lease), 41_000, false],
  ['reports its status with a wrong clock', reported(45), takenAt(40, lease), 46_000, false],
  ['has conditions written by other components', writtenByOthers(45), takenAt(40, lease), 41_000, false],
  ['has a Ready condition without a time', aNode([{ type: 'Ready', status: 'True' }]), undefined, undefined, false],
])('reads the last heartbeat of a node that %s', (_, node, held, said, isOwn) =>
  expect(heartbeatOf(node, held)).toEqual({ said, isOwn }),
);

const taken = (said: number) => ({ said, isOwn: false });
const own = (said: number) => ({ said, isOwn: true });

test('measures the age of observed heartbeats with its own clock', () => {
  const heartbeats = new Heartbeats();
  const clock = new ManualClock(50_000);
  const silent = { said: undefined, isOwn: false };
  expect(heartbeats.note('n', own(1000), clock)).toBe(-49_000);
  clock.advance(10_000);
  expect(heartbeats.note('n', own(1000), clock)).toBe(-49_000);
  expect(heartbeats.note('n', own(2000), clock)).toBe(10_000);
  expect(heartbeats.note('ahead', own(500_000), clock)).toBe(10_000);
  expect(heartbeats.note('silent', silent, clock)).toBe(10_000);
  clock.advance(10_000);
  expect(heartbeats.note('n', own(2000), clock)).toBe(10_000);
  expect(heartbeats.note('silent', silent, clock)).toBe(10_000);
  expect(heartbeats.note('silent', own(1000), clock)).toBe(20_000);
  expect(heartbeats.note('made', { said: 70_000, isOwn: false }, clock)).toBe(20_000);
  clock.advance(10_000);
  expect(heartbeats.note('made', own(3000), clock)).toBe(30_000);
});

test('uses the time at which the server stored a renewal', () => {
  const heartbeats = new Heartbeats();
  const clock = new ManualClock(50_000);
  expect(heartbeats.note('n', taken(20_000), clock)).toBe(-30_000);
  clock.advance(5000);
  expect(heartbeats.note('n', taken(20_000), clock)).toBe(-30_000);
  clock.advance(25_000);
  expect(heartbeats.note('n', taken(60_000), clock)).toBe(10_000);
  expect(heartbeats.note('n', taken(90_000), clock)).toBe(30_000); // the server's clock is ahead of this one
  clock.advance(30_000);
  expect(heartbeats.note('n', taken(30_000), clock)).toBe(30_000); // it reported since the last check, whatever the clocks show
});

/** A host that renews its lease, with every renewal stored by the server. */
interface Host {
  /** The time in ms between two renewals. */
  readonly renewal: number;
  /** The maximum delay between the end of a wait and the check. */
  readonly late?: number;
  readonly diesAt?: number;
  /** Whether each check runs in a new process. */
  readonly isCold?: boolean;
}

/** Checks a host repeatedly when its grace period ends, until it is lost or six hours have passed. */
function lived(
  { renewal, late = 0, diesAt = Number.POSITIVE_INFINITY, isCold = false }: Host,
  grace: number,
  phase: number,
) {
  const clock = new ManualClock(1_800_000_000_000);
  const began = clock.now();
  let heartbeats = new Heartbeats();
  const last = (until: number): number => Math.floor((Math.min(until, diesAt) - phase) / renewal) * renewal + phase;
  for (let looks = 1; ; looks++) {
    const time = clock.now() - began;
    if (isCold) heartbeats = new Heartbeats();
    const heard = heartbeats.note('n', taken(began + last(time)), clock);
    const wait = heard + grace - clock.monotonic();
    if (wait <= 0 || time > 6 * 3_600_000) return { lostAt: wait <= 0 ? time : undefined, renewed: last(time), looks };
    clock.advance(wait + ((looks * 7919) % (late + 1)));
  }
}

const MINUTE = 60_000;
const ACCOUNT = 300_000;
const PHASES = [1, 9_000, 31_000, 59_999];

describe.each<[string, Host, number]>([
  ['in an AWS account', { renewal: MINUTE }, ACCOUNT],
  ['in an AWS account, with late checks', { renewal: MINUTE, late: 20_000 }, ACCOUNT],
  ['in an AWS account, with each check in a new process', { renewal: MINUTE, late: 20_000, isCold: true }, ACCOUNT],
  ['with local settings', { renewal: 10_000, late: 100 }, 50_000],
  ['with local settings in an AWS account', { renewal: 10_000, late: 20_000 }, ACCOUNT],
])('the health of a node %s', (_, host, grace) => {
  test.each(PHASES)('is lost only a grace period after the last renewal, with phase %i', (phase) => {
    expect(lived(host, grace, phase).lostAt).toBeUndefined();
    for (const diesAt of [0.4, 1, 1.37, 2.5, 3].map((hours) => hours * 3_600_000)) {
      const { lostAt = Number.POSITIVE_INFINITY, renewed } = lived({ ...host, diesAt }, grace, phase);
      expect(lostAt - renewed).toBeGreaterThanOrEqual(grace);
      expect(lostAt - renewed).toBeLessThanOrEqual(grace + (host.late ?? 0));
    }
  });

  test('is checked about once per grace period', () => {
    const { looks } = lived(host, grace, 31_000);
    expect(looks).toBeLessThanOrEqual(Math.ceil((6 * 3_600_000) / (grace - host.renewal)) + 1);
  });
});

test('sets all conditions of a lost node to Unknown, except those that other components report', () => {
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
  ['cordoned', aNode([ready('True')], { unschedulable: true }), ['unschedulable']],
  ['uncordoned', aNode([ready('True')], { taints: [taint('unschedulable')] }), []],
  [
    'tainted by other components',
    aNode([ready('True')], { taints: [{ key: 'mine', effect: 'NoSchedule' }] }),
    undefined,
  ],
])('taints a node against scheduling if it is %s', (_, node, expected) =>
  expect(scheduleTaints(node, 1000)?.map(({ key }) => key.split('/')[1])).toEqual(expected),
);
