import { expect, test } from 'vitest';
import { TableConnections } from '#adapters/aws/dynamodb/connections.ts';
import { countingClient } from '#adapters/aws/dynamodb/counting-client.ts';
import { gatewayNotifications } from '#functions/stream/gateway-notifications.ts';
import { changeOf } from '#lib/client/controller/object-change.ts';
import { summarizeBody } from '#lib/server/registry/summarize-body.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import { GatewayNotifications } from '#lib/stream/gateway-notifications.ts';
import { handedNotifications } from '#lib/stream/handed-notifications.ts';
import { Notifications } from '#lib/stream/notifications.ts';
import { MemoryTable } from '#test/support/dynamodb-local/memory-table.ts';
import { EventClock } from '#test/support/event-clock.ts';
import { notifyNodes } from './notify-nodes.ts';

/** A doorbell with this many connected nodes, the events that it sends, and the relay that receives them. */
async function aFleet(size: number) {
  const clock = new EventClock();
  const { table, counts, reset } = countingClient(new MemoryTable());
  const connections = new TableConnections(table, { clock, cluster: DEFAULT_CLUSTER });
  const ticket = { session: 's', instance: 'i', after: '', before: '', expires: 0 };
  for (let i = 0; i < size; i++) {
    await connections.connect({ ...ticket, id: `t${i}`, node: `n${i}` }, `c${i}`);
    await connections.keep(`n${i}`, '');
  }
  reset();
  const events: string[] = [];
  const posted: string[] = [];
  const gone = new Set<string>();
  const posts = {
    async post(connection: string): Promise<boolean> {
      posted.push(connection);
      await clock.sleep(20);
      return !gone.has(connection);
    },
  };
  const invoke = async (event: string): Promise<void> => void events.push(event);
  const doorbell = new Notifications({ ...gatewayNotifications(table, { posts, invoke }, clock), clock });
  const relay = new GatewayNotifications({
    clock,
    connections: { lose: (node, connection) => clock.pace(connections.lose(node, connection)) },
    posts,
  });
  const body = Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } }));
  const change = { key: 'main//services/default/web', body, version: 7, summary: summarizeBody(body) };
  return {
    counts,
    connections,
    events,
    posted,
    gone,
    async ring() {
      doorbell.take(changeOf('ADDED', change));
      return clock.runUntil(doorbell.send());
    },
    /** Delivers an event to the relay. */
    deliver: (event = '') => clock.runUntil(notifyNodes(handedNotifications(JSON.parse(event)) ?? [], relay, clock)),
  };
}

test('notifying 500 nodes takes one query and one invocation of the doorbell, and one post of the relay per node', async () => {
  const { ring, events, posted, counts, deliver } = await aFleet(500);
  expect(await ring()).toEqual({ rung: 500, faults: 0 });
  expect([events.length, posted.length]).toEqual([1, 0]);
  expect(counts.calls).toEqual({ get: 0, query: 1, put: 0, update: 0, delete: 0 });
  expect(await deliver(events[0])).toEqual({ rung: 500, faults: 0 });
  expect([new Set(posted).size, posted.length]).toEqual([500, 500]);
  expect(counts.writes).toBe(0);
});

test('repeats only the notifications of a repeated event, even to closed connections', async () => {
  const { ring, events, gone, posted, connections, deliver } = await aFleet(51);
  gone.add('c7');
  await ring();
  for (let i = 0; i < 2; i++) expect(await deliver(events[0])).toMatchObject({ rung: 50, faults: 1 });
  expect(posted).toHaveLength(2 * 52); // one more request checks the closed connection
  expect((await connections.find('n7'))?.connections).toEqual([]);
  expect((await connections.find('n8'))?.connections).toEqual(['c8']);
});

test('the doorbell itself notifies 50 nodes', async () => {
  const { ring, events, posted } = await aFleet(50);
  expect(await ring()).toEqual({ rung: 50, faults: 0 });
  expect([events.length, posted.length]).toEqual([0, 50]);
});

test('notifying 1,001 nodes takes three events of less than 256 KB each', async () => {
  const { ring, events } = await aFleet(1001);
  await ring();
  expect(events.map((event) => handedNotifications(JSON.parse(event))?.length)).toEqual([500, 500, 1]);
  expect(Math.max(...events.map((event) => event.length))).toBeLessThan(256_000);
});

test.each([
  [{}],
  [{ requestContext: { connectionId: 'c', eventType: 'MESSAGE' }, body: '{"rings":[]}' }],
  [{ rings: [{ node: 'n', connections: ['a', 'b', 'c'], ring: {} }] }],
  [{ rings: 'all' }],
])('rejects %j as an event of notifications', (event) => expect(handedNotifications(event)).toBeUndefined());
