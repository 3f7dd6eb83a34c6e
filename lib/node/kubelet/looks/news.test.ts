import { expect, test } from 'vitest';
import type { Json } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { LOOKS, NOTIFICATIONS } from '#lib/server/channel/notification.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { LookedServer } from '#test/support/kubelet/looked-server.ts';
import { settled } from '#test/support/settled.ts';
import { News } from './news.ts';

const LOST = { reason: 'lost', connected: false } as const;
const MINUTES = 60_000;

/** A node that follows its pods and Secrets, and the changes that it saw. */
class Node {
  readonly server = new LookedServer();
  readonly clock = new ManualClock();
  readonly seen: string[] = [];
  readonly faults: unknown[] = [];
  readonly news: News;
  /** The changes of EndpointSlices that it saw, if it follows them. */
  readonly slices: string[] = [];
  readonly #stop = new AbortController();
  readonly #running: Promise<unknown>[] = [];

  constructor(frequency?: number) {
    this.news = new News({
      look: (known) => this.server.look(known),
      clock: this.clock,
      random: () => 0.5,
      frequency,
      onFault: (error) => void this.faults.push(error),
    });
    this.news.listen('secrets', () => undefined);
    const from = this.news.listWatch('pods', this.server.listWatch);
    const follow = async (): Promise<void> => {
      await from.list({ limit: 500, next: '' });
      const { signal } = this.#stop;
      while (!signal.aborted)
        for await (const { type } of from.watch({ version: '1', timeout: 300, signal }))
          if (type !== 'BOOKMARK') this.seen.push(type);
    };
    this.#running.push(follow(), this.news.run(this.#stop.signal));
  }

  /** Follows EndpointSlices, like the node's network. */
  async followSlices(): Promise<void> {
    const from = this.news.listWatch('endpointslices', this.server.slices);
    const { signal } = this.#stop;
    const { version } = await from.list({ limit: 500, next: '' });
    const follow = async (): Promise<void> => {
      while (!signal.aborted)
        for await (const { type, object } of from.watch({ version, timeout: 300, signal }))
          if (type !== 'BOOKMARK') this.slices.push(`${type} ${nameOf(object)}`);
    };
    this.#running.push(follow());
    await settled();
  }

  /** Number of polls so far. */
  get looks(): number {
    return this.server.asked.length;
  }

  /** Connects the channel to a server with these features. */
  connect(features: readonly string[] = [NOTIFICATIONS, LOOKS]): Promise<void> {
    this.news.take({ connected: true, features });
    return settled();
  }

  ring(body: Json): Promise<void> {
    this.news.ring(body);
    return settled();
  }

  async pass(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= 1_000) {
      this.clock.advance(Math.min(1_000, left));
      await settled();
    }
  }

  /** Lost notifications so far, by type. */
  get lost(): Record<string, number> {
    const family = this.news.metrics.collect().find(({ name }) => name === 'davit_node_agent_lost_rings_total');
    return Object.fromEntries((family?.samples ?? []).map(({ labels, value }) => [labels['resource'], value]));
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
    expect(this.faults).toEqual([]);
  }
}

/** A node that receives notifications and has finished its first polls. */
async function rungNode(): Promise<Node> {
  const node = new Node();
  await node.connect();
  await node.pass(20_000);
  node.server.asked = [];
  return node;
}

test('watches until a server requests polls, and then only polls', async () => {
  const node = new Node();
  await settled();
  expect([node.server.watches, node.looks]).toEqual([1, 0]);
  await node.connect([NOTIFICATIONS]);
  await node.pass(10 * MINUTES);
  expect([node.server.watches, node.looks]).toEqual([1, 0]);
  await node.connect();
  expect(node.server.watches).toBe(0);
  expect(node.looks).toBeGreaterThan(0);
  await node.connect([NOTIFICATIONS]);
  expect(node.server.watches).toBe(1);
  await node.end();
});

test('polls every five minutes while it receives notifications, and every half minute without a channel', async () => {
  const node = await rungNode();
  await node.pass(30 * MINUTES);
  expect(node.looks).toBe(6);
  node.news.take(LOST);
  await node.pass(5 * MINUTES);
  expect(node.looks).toBe(16);
  await node.end();
});

test('polls with its own frequency regardless of the server, and also after notifications', async () => {
  const node = new Node(600_000);
  await node.connect([NOTIFICATIONS]);
  await node.pass(20_000);
  const before = node.looks;
  node.server.set('a', '2');
  await node.ring({ pods: '2' });
  expect([node.server.watches, node.looks - before, node.seen]).toEqual([0, 1, ['ADDED']]);
  await node.pass(30 * MINUTES);
  expect(node.looks - before).toBe(4);
  await node.end();
});

test("polls after a notification, and lists if the node's pods have changed", async () => {
  const node = await rungNode();
  node.server.set('a', '2');
  const { lists } = node.server;
  await node.ring({ pods: '2' });
  expect([node.looks, node.server.lists - lists, node.seen]).toEqual([1, 1, ['ADDED']]);
  await node.end();
});

test('ignores a repeated, late, old or empty notification', async () => {
  const node = await rungNode();
  node.server.set('a', '2');
  await node.ring({ pods: '2' });
  for (const body of [{ pods: '2' }, { pods: '1' }, {}, { pods: 'x' }, 'pods', { endpointslices: '9' }])
    await node.ring(body);
  expect([node.looks, node.seen, node.lost]).toEqual([1, ['ADDED'], {}]);
  await node.end();
});

test('polls once more after notifications during a poll', async () => {
  const node = await rungNode();
  const { look } = node.server;
  const { promise, resolve } = Promise.withResolvers<void>();
  node.server.look = async (known) => {
    const answer = await look.call(node.server, known);
    await promise;
    return answer;
  };
  node.server.set('a', '2');
  for (let version = 2; version < 20; version++) await node.ring({ pods: String(version) });
  expect(node.looks).toBe(1);
  node.server.version = 20;
  resolve();
  await settled();
  expect(node.looks).toBe(2);
  await node.end();
});

test('polls a second or two after a notification to all nodes, which covers skipped ones', async () => {
  const node = await rungNode();
  node.server.servicesVersion = 5;
  await node.ring({ services: '5' });
  expect(node.looks).toBe(0);
  await node.pass(2_000);
  expect(node.looks).toBe(1);
  await node.end();
});

test('soon retries a failed poll that followed a notification', async () => {
  const node = await rungNode();
  node.server.set('a', '2');
  node.server.isDown = true;
  await node.ring({ pods: '2' });
  await node.pass(12_000);
  expect(node.looks).toBe(4); // after 1.5, 3 and 6 s
  node.server.isDown = false;
  await node.pass(15_000);
  expect(node.seen).toEqual(['ADDED']);
  expect(node.faults.splice(0)).toHaveLength(4);
  await node.end();
});

test('recovers from a lost notification with the next poll, and counts it', async () => {
  const node = await rungNode();
  node.server.set('a', '2');
  node.server.set('s', '3', { in: node.server.secrets });
  await node.pass(6 * MINUTES);
  expect([node.seen, node.lost]).toEqual([['ADDED'], { pods: 1 }]);
  node.server.set('s', '9', { in: node.server.secrets });
  await node.pass(6 * MINUTES);
  expect(node.lost).toEqual({ pods: 1, secrets: 1 });
  node.server.set('a', undefined);
  await node.pass(6 * MINUTES);
  expect(node.lost).toEqual({ pods: 2, secrets: 1 });
  await node.end();
});

test('does not count a status change found by a poll as a lost notification', async () => {
  const node = await rungNode();
  node.server.set('a', '2');
  await node.ring({ pods: '2' });
  node.server.set('a', '3');
  await node.pass(6 * MINUTES);
  expect([node.seen, node.lost]).toEqual([['ADDED', 'MODIFIED'], {}]);
  node.server.set('a', '4', { spec: { activeDeadlineSeconds: 5 } });
  await node.pass(6 * MINUTES);
  expect(node.lost).toEqual({ pods: 1 });
  await node.end();
});

test('does not count a notification as lost if a poll has already returned its change', async () => {
  const node = await rungNode();
  node.server.set('a', '2');
  node.server.servicesVersion = 2;
  await node.ring({ services: '2' });
  await node.pass(2_000);
  expect(node.seen).toEqual(['ADDED']);
  await node.ring({ pods: '2' });
  await node.pass(MINUTES);
  expect([node.looks, node.lost]).toEqual([1, {}]);
  await node.end();
});

test('finds changes from the time without a channel, and counts no lost notification', async () => {
  const node = await rungNode();
  node.news.take(LOST);
  node.server.set('a', '2');
  await node.connect();
  await node.pass(MINUTES);
  expect([node.seen, node.lost]).toEqual([['ADDED'], {}]);
  await node.end();
});

test('sends its interests again every hour, for a server that has lost them', async () => {
  const node = await rungNode();
  await node.pass(125 * MINUTES);
  expect(node.server.asked.filter(({ interests }) => interests === '')).toHaveLength(2);
  expect(node.looks).toBe(25);
  await node.end();
});

test('sends its interests once for each connection', async () => {
  const node = new Node();
  const names = (): (string | undefined)[] => node.server.asked.splice(0).map(({ interests }) => interests);
  await node.connect();
  await node.pass(MINUTES);
  expect(new Set(names())).toEqual(new Set(['', 'kept']));
  await node.pass(10 * MINUTES);
  expect(names()).toEqual(['kept', 'kept']);
  node.news.take(LOST);
  await node.pass(MINUTES);
  expect(new Set(names())).toEqual(new Set([undefined]));
  await node.connect();
  expect(names()).toEqual(['']);
  await node.end();
});

test('treats its own Node as the newest until a poll returns another version', async () => {
  const node = await rungNode();
  expect(node.news.isNewestNode('1')).toBe(true);
  node.server.nodeVersion = '5';
  await node.ring({ nodes: '5' });
  expect(node.news.isNewestNode('1')).toBe(false);
  expect(node.news.isNewestNode('5')).toBe(true);
  await node.end();
});

test('does not treat the Node as the newest if the server does not report it, or while it watches', async () => {
  const node = new Node();
  node.server.nodeVersion = undefined;
  await node.connect();
  expect(node.news.isNewestNode('1')).toBe(false);
  await node.connect([NOTIFICATIONS]);
  node.server.nodeVersion = '1';
  expect(node.news.isNewestNode('1')).toBe(false);
  await node.end();
});

/** A node that receives notifications and whose network follows EndpointSlices. */
async function followingNode(): Promise<Node> {
  const node = await rungNode();
  await node.followSlices();
  await node.pass(20_000);
  node.server.asked = [];
  return node;
}

test('polls for network types only after the agent follows them, and adds them to its interests', async () => {
  const node = await rungNode();
  await node.pass(6 * MINUTES);
  expect(node.server.asked.map((known) => known.endpointslices)).toEqual([undefined]);
  node.server.asked = [];
  await node.followSlices();
  expect(node.server.asked[0]).toMatchObject({ endpointslices: '', interests: '' });
  expect(node.server.asked[0]).not.toHaveProperty('networkpolicies');
  await node.end();
});

test('polls after a notification for EndpointSlices and only requests the changes, without a list or an open watch', async () => {
  const node = await followingNode();
  node.server.change('ADDED', 'a');
  node.server.change('ADDED', 'b');
  node.server.change('DELETED', 'a');
  const { lists } = node.server;
  await node.ring({ endpointslices: '4' });
  await node.pass(2_000);
  expect([node.looks, node.server.lists - lists, node.server.watches]).toEqual([1, 0, 0]);
  expect(node.slices).toEqual(['ADDED a', 'ADDED b', 'DELETED a']);
  await node.end();
});

test('ignores a notification for a type that is not followed', async () => {
  const node = await followingNode();
  await node.ring({ networkpolicies: '9', allpods: '9' });
  await node.pass(5_000);
  expect(node.looks).toBe(0);
  await node.end();
});

test('recovers from a lost notification for EndpointSlices with the next poll, and counts it', async () => {
  const node = await followingNode();
  node.server.change('ADDED', 'a');
  await node.pass(6 * MINUTES);
  expect([node.slices, node.lost]).toEqual([['ADDED a'], { endpointslices: 1 }]);
  await node.end();
});

test('lists if the server does not send the changes up to a version', async () => {
  const node = await followingNode();
  node.server.isOld = true;
  node.server.change('ADDED', 'a');
  node.server.change('ADDED', 'b');
  await node.ring({ endpointslices: '3' });
  await node.pass(2_000);
  node.server.change('DELETED', 'a');
  await node.ring({ endpointslices: '4' });
  await node.pass(2_000);
  expect(node.slices).toEqual(['ADDED a', 'ADDED b', 'DELETED a']);
  await node.end();
});

test('watches a type that an older server does not report, until a newer server does', async () => {
  const node = await rungNode();
  node.server.networkVersion = undefined;
  await node.followSlices();
  await node.pass(1_000);
  expect(node.server.watches).toBe(1);
  node.server.networkVersion = 1;
  await node.pass(6 * MINUTES);
  expect(node.server.watches).toBe(0);
  node.server.change('ADDED', 'a');
  await node.ring({ endpointslices: '2' });
  await node.pass(2_000);
  expect(node.slices).toEqual(['ADDED a']);
  await node.end();
});
