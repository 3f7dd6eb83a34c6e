import { expect, test } from 'vitest';
import { systemClock } from '#adapters/clock.ts';
import { scheduleOnce } from '#functions/scheduler/look.ts';
import { scheduleAll, schedulerClient } from '#functions/scheduler/wiring.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import { fenceClient, underLease } from '#lib/client/under-lease.ts';
import { bootstrapOnce } from '#lib/controllers/bootstrap/first-start.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { newUid } from '#lib/machinery/random.ts';
import { at, text } from '#lib/machinery/unstructured.ts';
import { SCHEDULER_USER } from '#lib/scheduler/user.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { serverInProcess } from '#test/support/server-in-process.ts';

const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
const LEASE = { namespace: 'kube-system', name: 'kube-scheduler' };

/** A control plane with a node, and the scheduler's function. */
async function aWorld() {
  const token = newUid();
  const { server, faults } = serverInProcess({ clock: systemClock, tokens: new Map([[token, SCHEDULER_USER]]) });
  const user = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'kubectl' });
  await bootstrapOnce(user, { host: '127.0.0.1', port: 6443 }, 'v1');
  await user.create(core('serviceaccounts'), { metadata: { name: 'default', namespace: 'default' } });
  const capacity = { cpu: '4', memory: '8Gi', pods: '10' };
  await user.create(core('nodes'), { metadata: { name: 'host' }, status: { capacity, allocatable: capacity } });
  const client = schedulerClient({ handle: server.handle, token });
  const told: unknown[] = [];
  const reportFault = (error: unknown): void => void told.push(error);
  const schedule = (acting: Client, signal = new AbortController().signal): Promise<boolean> =>
    scheduleAll({ client: acting, clock: systemClock, random: () => 0, reportFault }, signal);
  return { user, client, schedule, told, reportFault, faults };
}

const aPod = (name: string, cpu: string): JsonObject => ({
  metadata: { name, namespace: 'default' },
  spec: {
    tolerations: [{ operator: 'Exists' }],
    containers: [{ name: 'main', image: 'web', resources: { requests: { cpu } } }],
  },
});

const placed = async (user: Client): Promise<Record<string, string>> =>
  Object.fromEntries((await user.list(core('pods'))).map((pod) => [nameOf(pod), text(at(pod, 'spec'), 'nodeName')]));

test("a run places the pods that fit, with only the scheduler's permissions, and retries the others", async () => {
  const { user, client, schedule, told, reportFault, faults } = await aWorld();
  for (const [name, cpu] of Object.entries({ small: '1', large: '5', middle: '2' })) {
    await user.create(core('pods'), aPod(name, cpu));
  }
  const lookedAt: number[] = [];
  await scheduleOnce({
    client,
    clock: systemClock,
    identity: 'one',
    schedulerNames: new Set(['default-scheduler']),
    schedule,
    lookIn: async () => undefined,
    lookAt: async (time) => void lookedAt.push(time),
    reportFault,
  });
  expect(await placed(user)).toEqual({ small: 'host', middle: 'host', large: '' });
  expect(lookedAt).toHaveLength(1);
  const [lease] = await user.list(LEASES, LEASE);
  expect(at(lease, 'spec')).toMatchObject({ holderIdentity: '' });
  expect([...told, ...faults]).toEqual([]);
});

test('a scheduler that slept until another one acquired the lease binds no pod', async () => {
  const { user, client, schedule, reportFault } = await aWorld();
  await user.create(core('pods'), aPod('small', '1'));
  const options = { client, clock: systemClock, ...LEASE, identity: 'slow', seconds: 60, onFault: reportFault };
  const done = await underLease(options, async (token) => {
    await user.patch(refOf(LEASES, LEASE.namespace, LEASE.name), { spec: { leaseTransitions: token.transitions + 1 } });
    return schedule(fenceClient(client, token));
  });
  expect([done, await placed(user)]).toEqual([false, { small: '' }]);
  expect(await schedule(client)).toBe(true);
});

test('starts no work after its deadline', async () => {
  const { user, client, schedule } = await aWorld();
  await user.create(core('pods'), aPod('small', '1'));
  expect(await schedule(client, AbortSignal.abort())).toBe(false);
  expect(await placed(user)).toEqual({ small: '' });
});
