import { systemClock } from '#adapters/clock.ts';
import { scheduleOnce } from '#functions/scheduler/look.ts';
import { scheduleAll, schedulerClient } from '#functions/scheduler/wiring.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import { bootstrapOnce } from '#lib/controllers/bootstrap/first-start.ts';
import { newUid } from '#lib/machinery/random.ts';
import { SCHEDULER_USER } from '#lib/scheduler/user.ts';
import { core } from '#test/support/controllers/refs.ts';
import { serverInProcess } from '#test/support/server-in-process.ts';
import { forEachOf } from './samples.ts';

const SIZES = [100, 1000];
/** Pods that are created one by one after all others have their nodes. */
const LATER = 9;
const CAPACITY = { cpu: '32', memory: '64Gi', pods: '110' };
const REQUESTS = { cpu: '100m', memory: '64Mi' };

/**
 * Measures a run of the scheduler's function, with an API server in this process and in memory. First there are as many pods as nodes, then
 * one more at a time.
 */
export async function measureLooks(): Promise<void> {
  for (const size of SIZES) {
    const { user, lookOnce } = await aWorld();
    await forEachOf(size, 1, (i) => addNode(user, `n${i}`));
    await forEachOf(size, 1, (i) => addPod(user, `p${i}`));
    const all = await lookOnce();
    const later: Spent[] = [];
    for (let i = 0; i < LATER; i++) {
      await addPod(user, `later-${i}`);
      later.push(await lookOnce());
    }
    console.log(`${size} pods on ${size} nodes: ${texts(all)}; one more, median: ${texts(middle(later))}`);
    console.log(`nobody waits: ${texts(await lookOnce())}`);
  }
}

/** Elapsed time and processor time, both in ms. */
type Spent = readonly [time: number, processor: number];

const texts = ([time, processor]: Spent): string => `${Math.round(time)} ms, processor ${Math.round(processor)} ms`;
const middle = (all: readonly Spent[]): Spent => all.toSorted((a, b) => a[1] - b[1])[all.length >> 1] ?? [0, 0];

async function aWorld() {
  const token = newUid();
  const { server } = serverInProcess({ clock: systemClock, tokens: new Map([[token, SCHEDULER_USER]]) });
  const user = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'bench' });
  await bootstrapOnce(user, { host: '127.0.0.1', port: 6443 }, 'bench');
  await user.create(core('serviceaccounts'), { metadata: { name: 'default', namespace: 'default' } });
  const client = schedulerClient({ handle: server.handle, token });
  return { user, lookOnce: () => spent(() => lookAt(client)) };
}

const lookAt = (client: Client): Promise<void> =>
  scheduleOnce({
    client,
    clock: systemClock,
    identity: newUid(),
    schedulerNames: new Set(['default-scheduler']),
    schedule: (fenced) => scheduleAll({ client: fenced, clock: systemClock, random: Math.random, reportFault }),
    lookIn: async () => undefined,
    lookAt: () => Promise.reject(new Error('somebody found no node')),
    reportFault,
  });

function reportFault(error: unknown): void {
  throw error;
}

async function spent(work: () => Promise<unknown>): Promise<Spent> {
  const [begin, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return [performance.now() - begin, (user + system) / 1000];
}

const addNode = (user: Client, name: string) =>
  user.create(core('nodes'), { metadata: { name }, status: { capacity: CAPACITY, allocatable: CAPACITY } });

const addPod = (user: Client, name: string) =>
  user.create(core('pods'), {
    metadata: { name, namespace: 'default' },
    spec: {
      tolerations: [{ operator: 'Exists' }],
      containers: [{ name: 'main', image: 'web', resources: { requests: REQUESTS } }],
    },
  });
