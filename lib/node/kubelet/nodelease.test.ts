import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Lease } from '#lib/api/types/coordination.v1.ts';
import { LEASES, NODES } from '#lib/api/types/resources.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { World } from '#test/support/controllers/world.ts';
import { newLease, runNodeLease } from './nodelease.ts';
import { StepClock } from './testing/step-clock.ts';

const REF = { resource: LEASES, namespace: 'kube-node-lease', name: 'n1' };
let world: World;
let client: Clientset;

beforeEach(async () => {
  world = new World();
  client = clientset(world.user);
  await aNamespace(world, 'kube-node-lease');
});
afterEach(() => world.close());

const register = () => client.create(NODES, { metadata: { name: 'n1' } });
const lease = (): Promise<Lease | undefined> => client.get(REF);

/** Renews until this many sleeps have ended and calls `during` in each. Returns the texts of faults, and the clock. */
async function renew(sleeps: number, during: (count: number) => Promise<unknown> = async () => undefined) {
  const faults: string[] = [];
  const ending = new AbortController();
  const clock = new StepClock(async (count) => {
    await during(count);
    if (count === sleeps) ending.abort();
  });
  const onFault = (error: unknown): void => void faults.push(String(error));
  await runNodeLease({ client, clock, node: 'n1', duration: 40, random: () => 0.5, onFault }, ending.signal);
  return { faults, clock };
}

test('renews a lease of 40 s every 10 s plus up to 4 %', async () => {
  const { metadata } = await register();
  const times: unknown[] = [];
  const { faults, clock } = await renew(3, async () => times.push((await lease())?.spec.renewTime));
  expect(faults).toEqual([]);
  expect(clock.sleeps).toEqual([10_200, 10_200, 10_200]);
  expect(times).toEqual(['00.000000', '10.200000', '20.400000'].map((time) => `2026-01-01T00:00:${time}Z`));
  expect(await lease()).toMatchObject({
    metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n1', uid: metadata.uid }] },
    spec: { holderIdentity: 'n1', leaseDurationSeconds: 40 },
  });
});

test('waits for the registration of the node without reporting a fault', async () => {
  const before: unknown[] = [];
  const { faults } = await renew(2, async (count) => {
    if (count === 1) before.push(await lease(), await register());
  });
  expect(faults).toEqual([]);
  expect(before[0]).toBeUndefined();
  expect(await lease()).toBeDefined();
});

test.each([
  ['writes', async () => void (await client.patch(REF, { metadata: { labels: { a: 'b' } } }))],
  ['deletes', async () => client.delete(REF)],
])('renews the lease after another client %s it', async (_, change) => {
  await register();
  const { faults } = await renew(2, (count) => (count === 1 ? change() : lease()));
  expect(faults).toEqual([]);
  expect((await lease())?.spec.renewTime).toBe('2026-01-01T00:00:10.200000Z');
});

const LEASE = { node: 'n1', duration: 40 };

test('keeps an existing owner of a lease', () => {
  const owned = newLease(LEASE, 'u1', undefined, 0);
  expect(newLease(LEASE, 'u2', owned, 0).metadata.ownerReferences).toMatchObject([{ uid: 'u1' }]);
  expect(newLease(LEASE, undefined, undefined, 0).metadata).not.toHaveProperty('ownerReferences');
});
