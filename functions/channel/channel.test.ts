import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gatewayPosts } from '#adapters/aws/apigateway/posts.ts';
import { TableConnections } from '#adapters/aws/dynamodb/connections.ts';
import { systemClock as clock } from '#adapters/clock.ts';
import { connectGateway } from '#adapters/server/channel/connect-gateway.ts';
import { duplexOf } from '#adapters/server/kubelet/stream.ts';
import { configOf } from '#functions/apiserver/config.ts';
import { openPlatform } from '#functions/apiserver/platform.ts';
import type { Apiserver } from '#functions/apiserver/wiring.ts';
import { gatewayNotifications, latePosts } from '#functions/stream/gateway-notifications.ts';
import { buildStream } from '#functions/stream/wiring.ts';
import { sendRequest } from '#lib/client/api-client.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { SYSTEM_MASTERS } from '#lib/server/authentication/user.ts';
import { type ChannelState, runAgentChannel } from '#lib/server/channel/agent-channel.ts';
import { Relay } from '#lib/server/channel/gateway/relay.ts';
import type { Grant } from '#lib/server/channel/grant.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import { MemoryTable } from '#test/support/dynamodb-local/memory-table.ts';
import { eventually } from '#test/support/eventually.ts';
import { WebSocketApi } from '#test/support/gateway/web-socket-api.ts';
import { type Listening, onLoopback } from '#test/support/loopback.ts';
import { aProposal, World } from '#test/support/stream/world.ts';
import { agentGateway } from '../../node-agent/gateway.ts';

const api = new WebSocketApi();
const table = new MemoryTable();
const ending = new AbortController();
const states: ChannelState[] = [];
const grants: Grant[] = [];
const rings: unknown[] = [];
let listening: Listening;
let server: Apiserver;
let doorbellNotifications: ReturnType<typeof gatewayNotifications>;
let running: Promise<void>;

const as = (token: string) => ({
  handle: (...args: Parameters<Apiserver['handle']>) => server.handle(...args),
  token,
  userAgent: 'test',
});
const ask = (method: string, target: string, body?: JsonObject): Promise<JsonObject> =>
  sendRequest(as('admin-token'), { method, target, accept: 'application/json', ...(body && { body }) });

const serve: RequestListener = (asked, response) =>
  void response.end(JSON.stringify({ asked: `${asked.method} ${asked.url}` }));

beforeAll(async () => {
  listening = await onLoopback(api.server);
  const url = `ws://127.0.0.1:${listening.port}/nodes`;
  const config = configOf({
    DAVIT_FRONT_DOOR: 'function-url',
    DAVIT_TABLE: 'davit',
    DAVIT_CLUSTER_ID: 'test',
    DAVIT_ADMIN: 'arn:aws:iam::123456789012:role/Admin',
    DAVIT_CHANNEL_URL: url,
    AWS_ACCESS_KEY_ID: 'AKID',
    AWS_SECRET_ACCESS_KEY: 'secret',
  });
  if (config.gateway === undefined) throw new Error('no gateway');
  const connections = new TableConnections(table, { clock, cluster: DEFAULT_CLUSTER });
  const posts = gatewayPosts({ ...config.gateway, now: () => clock.now() });
  doorbellNotifications = gatewayNotifications(table, { posts: latePosts(config.gateway, clock) }, clock);
  api.use(new Relay({ clock, connections, posts, random: Math.random }));
  const tokens = new Map([
    ['admin-token', { name: 'admin', groups: [SYSTEM_MASTERS] }],
    ['node-token', { name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] }],
  ]);
  ({ server } = await openPlatform(config, 'api.example.com:443', tokens, { table }));
  const http = createHttpServer(serve);
  const hello = { session: 'process 1', instance: { key: 'k', machineId: 'm', bootId: 'b' } };
  running = runAgentChannel(
    {
      clock,
      node: 'n1',
      hello,
      random: Math.random,
      gateway: agentGateway(as('node-token'), 'n1', hello),
      connect: () => Promise.reject(new Error('the server takes no connections')),
      accept(grant, stream) {
        grants.push(grant);
        http.emit('connection', duplexOf(stream));
      },
      ring: (body) => void rings.push(body),
      report: (state) => void states.push(state),
    },
    ending.signal,
  );
  await eventually(() => expect(states.length).toBeGreaterThan(0));
});
afterAll(async () => {
  ending.abort();
  await running;
  api.close();
  await server.close();
  await listening.close();
});

describe('a node behind a function URL', () => {
  test('has a channel, whose ticket appears in no URL', () => {
    expect(states).toEqual([{ connected: true, features: ['rings', 'looks'] }]);
    expect(api.asked[0]).toBe('/nodes');
  });

  test('answers requests via nodes/proxy over one connection of the server', async () => {
    await ask('POST', '/api/v1/nodes', { metadata: { name: 'n1' } });
    const proxied = (path: string) => ask('GET', `/api/v1/nodes/n1/proxy/${path}`);
    expect(await Promise.all([proxied('healthz'), proxied('pods')])).toEqual([
      { asked: 'GET /healthz' },
      { asked: 'GET /pods' },
    ]);
    expect(grants.map(({ node, user, verb }) => [node, user, verb])).toEqual([
      ['n1', 'admin', 'proxy'],
      ['n1', 'admin', 'proxy'],
    ]);
    expect(api.asked).toEqual(['/nodes', '/nodes']);
  });

  test('returns 503 if the gateway does not know its connection', async () => {
    await ask('POST', '/api/v1/nodes', { metadata: { name: 'n2' } });
    await expect(ask('GET', '/api/v1/nodes/n2/proxy/healthz')).rejects.toMatchObject({
      code: 503,
      message: expect.stringContaining('node "n2" has no channel'),
    });
  });

  test('is notified of a change that the doorbell delivers, after its first poll', async () => {
    const services = 'main//services';
    const world = new World();
    const { store, bus, queue, deadLetters } = world;
    const parts = { store, bus, queue, deadLetters, clock, clusterId: 'test', publish: [], reconcilers: [] };
    const change = async (name: string) => {
      await world.write([aProposal(name, 'ADDED', { key: `${services}/default/${name}` })], services);
      const stream = buildStream({ ...parts, rings: doorbellNotifications }); // a new process, which has not sent any services yet
      return (await stream.handle({ ring: [services] }, { hasTime: () => true })).rung;
    };
    expect(await change('a')).toEqual({ rung: 0, faults: 0 });
    const target = '/apis/node.davit.dev/v1/nodes/n1/look?interests=';
    await sendRequest(as('node-token'), { method: 'GET', target, accept: 'application/json' });
    expect(await change('b')).toEqual({ rung: 1, faults: 0 });
    await eventually(() => expect(rings.length).toBeGreaterThan(0));
    expect(rings).toEqual([{ services: '3' }]);
  });

  test.each([
    ['of another node', 'n2', 403],
    ['with a body that is no hello', 'n1', 400],
  ])('receives no ticket %s', async (_, node, code) => {
    const target = `/apis/node.davit.dev/v1/nodes/${node}/channel`;
    const asked = sendRequest(as('node-token'), { method: 'POST', target, accept: 'application/json', body: { a: 1 } });
    await expect(asked).rejects.toMatchObject({ code });
  });

  test('connects to no gateway without a ticket', async () => {
    const request = { ticket: 'forged', node: 'n1', message: () => undefined };
    const connecting = connectGateway(`ws://127.0.0.1:${listening.port}/nodes`, request, ending.signal);
    await expect(connecting).rejects.toThrow('401');
  });
});
