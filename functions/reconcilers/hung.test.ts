import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '#adapters/clock.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { BatchPorts } from '#lib/client/controller/batch.ts';
import { encodeMessage, messageOf, type ReconcileMessage } from '#lib/client/controller/delivery.ts';
import { KnownVersions } from '#lib/client/controller/known-versions.ts';
import { runDefined } from '#lib/client/controller/run-defined.ts';
import { objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { invocationRecorder } from '#lib/sdk/invocation/recorder.ts';
import { core, NAMESPACES } from '#test/support/controllers/refs.ts';
import { serverInProcess } from '#test/support/server-in-process.ts';
import { type ThreadedReconciler, usersThreads } from './users-threads.ts';
import { workOfUsers } from './users-work.ts';

const EVENTS = { group: 'events.k8s.io', version: 'v1', resource: 'events' };
const RECEIVES = 10;
const NEIGHBOURS = Array.from({ length: 9 }, (_, i) => `n${i}`);

const message = (name: string): ReconcileMessage =>
  messageOf({ reconciler: 'hanging', cluster: 'main', namespace: 'ns', name, sequence: '', version: 0 });

let threaded: ThreadedReconciler;
afterEach(() => threaded.close());

/** A FIFO queue that delivers a message up to ten times, and the function that consumes it. */
async function aQueue(hung: string) {
  const { server } = serverInProcess({ clock: systemClock });
  const client = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'hanging' });
  await client.create(NAMESPACES, { metadata: { name: 'ns' } });
  for (const name of [...NEIGHBOURS, hung])
    await client.create(core('configmaps'), { metadata: { namespace: 'ns', name } });
  const log: string[] = [];
  const logger = { info: () => undefined, error: (text: string) => void log.push(text) };
  threaded = await usersThreads({
    name: 'hanging',
    limits: { timeout: 700, memory: 128 },
    grace: 200,
    log: logger,
    start: () => new Worker(new URL('../../test/support/fixtures/hanging-thread.ts', import.meta.url)),
    handle: server.handle,
  });
  const outcomes: string[] = [];
  const reconciler = runDefined(threaded.reconciler, { client, clock: systemClock, log: logger });
  const observe = invocationRecorder({
    clock: systemClock,
    log: logger,
    sinks: [{ record: async ({ key, outcome }) => void outcomes.push(`${key} ${outcome}`) }],
    nonce: () => 'n',
    objectOf: () => undefined,
    keepsLogs: false,
  });
  const sent: ReconcileMessage[] = [];
  const later: ReconcileMessage[] = [];
  const known = new KnownVersions();
  let nonces = 0;
  const ports = (): Omit<BatchPorts, 'workerOf'> => ({
    clock: systemClock,
    deadline: systemClock.monotonic() + 20_000,
    grace: 1000,
    maxAttempts: 30,
    random: () => 0,
    nonce: () => `${nonces++}`,
    known,
    observe,
    onError: () => undefined,
    queues: {
      send: async (one) => void sent.push(one),
      later: async (one) => void later.push(one),
      deadLetter: async () => undefined,
    },
  });
  const receives = new Map<string, number>();
  const dead: string[] = [];
  const deliver = async (names: readonly string[]): Promise<readonly string[]> => {
    const batch = names.map((name) => ({ id: name, body: encodeMessage({ ...message(name), later: `${nonces++}` }) }));
    const returned = await workOfUsers(batch, reconciler, ports());
    for (const name of returned) {
      const count = (receives.get(name) ?? 0) + 1;
      receives.set(name, count);
      if (count === RECEIVES) dead.push(name);
    }
    return returned;
  };
  /** The objects that have events. */
  const troubled = async (): Promise<string[]> =>
    (await client.list(EVENTS)).map((event) => stringAt(objectAt(event, 'regarding') ?? {}, 'name') ?? '');
  return { deliver, dead, outcomes, sent, later, log, troubled };
}

describe.each(['sleeps', 'loops'])('a batch of ten with one object that %s', (hung) => {
  test('returns only that object in ten deliveries, and reconciles the others each time', async () => {
    const { deliver, dead, outcomes, sent, later, log, troubled } = await aQueue(hung);
    const done = NEIGHBOURS.map((name) => `ns/${name} Done`);
    for (let i = 0; i < RECEIVES; i++) {
      outcomes.length = 0;
      expect(await deliver([...NEIGHBOURS.slice(0, 4), hung, ...NEIGHBOURS.slice(4)])).toEqual([hung]);
      expect(outcomes.toSorted()).toEqual([...done, `ns/${hung} Error`].toSorted());
    }
    expect(new Set(await troubled())).toEqual(new Set([hung]));
    expect({ dead, sent, later }).toEqual({ dead: [hung], sent: [], later: [] });
    expect(log).toContain(`hanging was not done after 700 ms with ns/${hung}; functions.yaml gives it more time`);
    expect(log.filter((line) => line.includes('was not done') && !line.includes(hung))).toEqual([]);
  });
});

test('fails only the object whose reconcile exits its thread', async () => {
  const { deliver, outcomes, later, troubled } = await aQueue('exits');
  expect(await deliver([...NEIGHBOURS, 'exits'])).toEqual([]);
  expect(outcomes.filter((one) => !one.endsWith('Done')).every((one) => one === 'ns/exits Error')).toBe(true);
  expect(outcomes.filter((one) => one.endsWith('Done'))).toHaveLength(NEIGHBOURS.length);
  expect(later.map(({ name }) => name)).toEqual(['exits']);
  expect(new Set(await troubled())).toEqual(new Set(['exits']));
});
