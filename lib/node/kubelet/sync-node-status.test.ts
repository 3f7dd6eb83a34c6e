import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Node } from '#lib/api/types/core.v1.ts';
import { NODES } from '#lib/api/types/resources.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import { defined } from '#lib/machinery/defined.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { World } from '#test/support/controllers/world.ts';
import { eventually } from '#test/support/eventually.ts';
import type { NodeFacts } from './nodestatus/set-node-status.ts';
import { StatusTrigger } from './nodestatus/status-trigger.ts';
import { syncNodeStatus } from './sync-node-status.ts';
import { someFacts } from './testing/facts.ts';
import { StepClock } from './testing/step-clock.ts';

const REF = { resource: NODES, namespace: '', name: 'n1' };
let world: World;
let client: Clientset;

beforeEach(() => {
  world = new World();
  client = clientset(world.user);
});
afterEach(() => world.close());

const nodeOf = (): Promise<Node | undefined> => client.get(REF);

interface Run {
  readonly during?: (count: number) => Promise<unknown>;
  readonly facts?: () => Promise<NodeFacts>;
  readonly trigger?: StatusTrigger;
  readonly isNewest?: (version: string) => boolean;
}

/** Runs until this many sleeps have ended. Returns the heartbeats seen in each sleep, and the texts of faults. */
async function run(
  sleeps: number,
  { during = async () => undefined, facts = async () => someFacts(), trigger, isNewest }: Run = {},
) {
  const [heartbeats, faults, events]: [unknown[], string[], string[]] = [[], [], []];
  const ending = new AbortController();
  const clock = new StepClock(async (count) => {
    heartbeats.push((await nodeOf())?.status.conditions?.at(-1)?.lastHeartbeatTime);
    await during(count);
    if (count === sleeps) ending.abort();
  });
  await syncNodeStatus(
    {
      client,
      clock,
      node: 'n1',
      registration: { labels: { 'example.com/rack': 'r1' }, taints: [], providerID: '' },
      updateFrequency: 10_000,
      reportFrequency: 300_000,
      random: () => 0.5,
      facts,
      ...defined({ trigger, isNewest }),
      event: ({ type, reason, message }) => void events.push(`${type} ${reason} ${message}`),
      registered: () => undefined,
      onFault: (error) => void faults.push(String(error)),
    },
    ending.signal,
  );
  return { heartbeats, faults, events, clock };
}

test('registers the node and reports every five minutes without a change', async () => {
  const { heartbeats, faults, clock } = await run(40);
  expect(faults).toEqual([]);
  expect(clock.sleeps[0]).toBe(10_200);
  expect([...new Set(heartbeats)]).toEqual(['2026-01-01T00:00:00Z', '2026-01-01T00:05:06Z']);
  expect((await nodeOf())?.metadata.labels).toMatchObject({ 'kubernetes.io/os': 'linux', 'example.com/rack': 'r1' });
});

test('reports a change after the next check', async () => {
  let errors: string[] = [];
  const facts = async (): Promise<NodeFacts> => someFacts({ errors });
  const { heartbeats } = await run(3, { facts, during: async () => (errors = ['container runtime is down']) });
  expect(heartbeats).toEqual(['00', '10', '10'].map((seconds) => `2026-01-01T00:00:${seconds}Z`));
  expect((await nodeOf())?.status.conditions?.at(-1)).toMatchObject({
    status: 'False',
    message: 'container runtime is down',
  });
});

test('reports over conditions of other writers', async () => {
  const unknown = async (): Promise<void> => {
    const node = await nodeOf();
    for (const condition of node?.status.conditions ?? []) condition.status = 'Unknown';
    if (node !== undefined) await client.update(REF, node, 'status');
  };
  await run(2, { during: (count) => (count === 1 ? unknown() : nodeOf()) });
  expect((await nodeOf())?.status.conditions?.map(({ status }) => status)).toEqual(['False', 'False', 'False', 'True']);
});

test('takes over an existing node and corrects its labels', async () => {
  await client.create(NODES, {
    metadata: { name: 'n1', labels: { 'kubernetes.io/os': 'windows', 'example.com/a': 'b' } },
  });
  const { faults } = await run(1);
  expect(faults).toEqual([]);
  const { metadata, status } = (await nodeOf()) ?? {};
  expect(metadata?.labels).toMatchObject({ 'kubernetes.io/os': 'linux', 'example.com/a': 'b' });
  expect(metadata?.labels).not.toHaveProperty(['example.com/rack']); // only the default labels are corrected, like upstream
  expect(status?.nodeInfo.machineID).toBe('machine');
});

test('retries the registration until the machine reports its facts', async () => {
  let calls = 0;
  const facts = async (): Promise<NodeFacts> => {
    if (calls++ < 2) throw new Error('no machine');
    return someFacts();
  };
  const { faults, clock } = await run(3, { facts });
  expect(faults).toEqual(['Error: no machine', 'Error: no machine']);
  expect(clock.sleeps).toEqual([100, 200, 10_200]);
});

test('reads a node again after a conflict, without reporting a fault', async () => {
  let calls = 0;
  const facts = async (): Promise<NodeFacts> => {
    calls++;
    if (calls === 2) await client.patch(REF, { metadata: { labels: { 'example.com/a': 'b' } } }); // request 1 registers, request 2 reports
    return someFacts({ errors: calls === 1 ? [] : ['x'] });
  };
  const { faults } = await run(1, { facts });
  expect([calls, faults]).toEqual([3, []]);
  expect((await nodeOf())?.status.conditions?.at(-1)?.message).toBe('x');
});

test('does not register a deleted node again', async () => {
  const { faults } = await run(2, { during: async (count) => (count === 1 ? client.delete(REF) : undefined) });
  expect(faults).toEqual(Array.from({ length: 5 }, () => 'Error: error getting node "n1": it is not there'));
  expect(await nodeOf()).toBe(undefined);
});

const isNow = (reason: string): string => `Normal ${reason} Node n1 status is now: ${reason}`;
const FREE = ['NodeHasSufficientMemory', 'NodeHasNoDiskPressure', 'NodeHasSufficientPID'].map(isNow);

test('records the start of the node and its initial conditions', async () => {
  const { events } = await run(3);
  expect(events).toEqual(['Normal Starting Starting kubelet.', ...FREE]);
});

test('records changes of conditions, a reboot and a cordon once', async () => {
  let overrides: Partial<NodeFacts> = { errors: ['container runtime is down'] };
  const { machine } = someFacts();
  const facts = async (): Promise<NodeFacts> => someFacts(overrides);
  const during = async (count: number): Promise<void> => {
    if (count === 1) overrides = { pressures: { memory: true, disk: false, pid: false } };
    if (count === 2) await client.patch(REF, { spec: { unschedulable: true } });
    if (count === 3) overrides = { machine: { ...machine, machine: { ...machine.machine, bootID: 'later' } } };
  };
  const { events } = await run(5, { facts, during });
  expect(events.slice(4)).toEqual([
    isNow('NodeHasInsufficientMemory'),
    isNow('NodeReady'),
    isNow('NodeNotSchedulable'),
    'Warning Rebooted Node n1 has been rebooted, boot id: later',
    isNow('NodeHasSufficientMemory'),
  ]);
});

test('reports a triggered change without waiting for the next check', async () => {
  const trigger = new StatusTrigger();
  let errors: string[] = [];
  const clock = new ManualClock(Date.parse('2026-01-01T00:00:00Z'));
  const ending = new AbortController();
  const running = syncNodeStatus(
    {
      client,
      clock,
      node: 'n1',
      registration: { labels: {}, taints: [], providerID: '' },
      updateFrequency: 10_000,
      reportFrequency: 300_000,
      random: () => 0.5,
      facts: async () => someFacts({ errors }),
      trigger,
      registered: () => undefined,
      onFault: (error) => expect.unreachable(String(error)),
    },
    ending.signal,
  );
  const isReady = async (): Promise<boolean> => (await nodeOf())?.status.conditions?.at(-1)?.status === 'True';
  await eventually(isReady);
  errors = ['node is shutting down'];
  trigger.trigger();
  await eventually(async () => {
    clock.advance(10);
    return !(await isReady());
  });
  expect(clock.monotonic()).toBeLessThan(500);
  ending.abort();
  await running;
});

test('does not read a Node without a notification, and corrects changes of other writers after one', async () => {
  let isTold = false;
  const cordon = async (): Promise<void> => {
    const node = await nodeOf();
    for (const condition of node?.status.conditions ?? []) condition.status = 'Unknown';
    if (node !== undefined) await client.update(REF, node, 'status');
  };
  const seen: unknown[] = [];
  const { faults } = await run(4, {
    isNewest: () => !isTold,
    async during(count) {
      if (count === 1) await cordon();
      if (count === 3) isTold = true;
      seen.push((await nodeOf())?.status.conditions?.at(-1)?.status);
    },
  });
  expect(seen).toEqual(['Unknown', 'Unknown', 'Unknown', 'True']);
  expect(faults).toEqual([]);
});

test('reads the Node after an unnoticed change of another writer, without reporting a fault', async () => {
  let errors: string[] = [];
  const { faults } = await run(3, {
    isNewest: () => true,
    facts: async () => someFacts({ errors }),
    async during(count) {
      if (count !== 1) return;
      await client.patch(REF, { metadata: { labels: { told: 'no' } } });
      errors = ['container runtime is down'];
    },
  });
  expect(faults).toEqual([]);
  const { metadata, status } = (await nodeOf()) ?? {};
  expect(metadata?.labels).toMatchObject({ told: 'no' });
  expect(status?.conditions?.at(-1)).toMatchObject({ status: 'False' });
});
