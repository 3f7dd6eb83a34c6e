import { expect, test } from 'vitest';
import { EventClock } from '#test/support/event-clock.ts';
import { GatewayNotifications } from './gateway-notifications.ts';
import type { NodeNotification } from './notifications.ts';

const NEVER = new AbortController().signal;

/** A gateway where these connections accept posts, each after 20 ms. */
function aGateway(isThere: (connection: string, now: number) => boolean) {
  const clock = new EventClock();
  const [posted, lost]: [string[], string[]] = [[], []];
  let [running, most] = [0, 0];
  const rings = new GatewayNotifications({
    clock,
    connections: { lose: async (node, connection) => void lost.push(`${node} ${connection}`) },
    posts: {
      async post(connection, text) {
        most = Math.max(most, ++running);
        posted.push(`${connection} ${text}`);
        await clock.sleep(20);
        running--;
        return isThere(connection, clock.monotonic());
      },
    },
  });
  const ring = (connections: readonly string[], signal = NEVER) =>
    clock.runUntil(rings.ring({ to: { node: 'n1', connections, interests: '' }, ring: { pods: '7' } }, signal));
  return { clock, rings, ring, posted, lost, most: () => most };
}

test('notifies a node through its newest connection with one post', async () => {
  const { ring, posted, lost } = aGateway(() => true);
  await ring(['c2', 'c1']);
  expect([posted, lost]).toEqual([['c2 ring {"pods":"7"}'], []]);
});

test('uses the previous connection while the newest is not open yet, and keeps its record', async () => {
  const { ring, posted, lost, clock } = aGateway((connection) => connection === 'c1');
  await ring(['c2', 'c1']);
  expect(posted.map((text) => text.slice(0, 2))).toEqual(['c2', 'c1']);
  expect([lost, clock.monotonic()]).toEqual([[], 40]);
});

test('retries a connection after a second if its handshake is not complete', async () => {
  const { ring, posted, lost } = aGateway((_, now) => now > 500);
  await ring(['c1']);
  expect([posted.length, lost]).toEqual([2, []]);
});

test('removes lost connections from the record', async () => {
  const { ring, lost, clock } = aGateway(() => false);
  await expect(ring(['c2', 'c1'])).rejects.toThrow('node n1 has no connection any more');
  expect(lost).toEqual(['n1 c2', 'n1 c1']);
  expect(clock.monotonic()).toBeLessThan(2_000); // within the time limit for rings
});

test('posts and removes nothing after the time limit', async () => {
  const { ring, posted, lost } = aGateway(() => false);
  await expect(ring(['c1'], AbortSignal.abort(new Error('out of time')))).rejects.toThrow('out of time');
  expect([posted, lost]).toEqual([[], []]);
});

test('notifies 500 nodes with 500 posts, 50 at once, in a fifth of a second at 20 ms each', async () => {
  const { rings, clock, posted, most } = aGateway(() => true);
  const nodes = Array.from({ length: 500 }, (_, i): NodeNotification => {
    const to = { node: `n${i}`, connections: [`c${i}`], interests: '' };
    return { to, ring: { services: '7' } };
  });
  await clock.runUntil(Promise.all(nodes.map((one) => rings.ring(one, NEVER))));
  expect([posted.length, most(), clock.monotonic()]).toEqual([500, 50, 200]);
});
