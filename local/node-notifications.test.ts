import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#adapters/clock.ts';
import { connectChannel } from '#adapters/server/channel/connect.ts';
import { authorityOf } from '#lib/controllers/certificates/issue.ts';
import { newSigner } from '#lib/controllers/certificates/new-signer.ts';
import { type ChannelState, runAgentChannel } from '#lib/server/channel/agent-channel.ts';
import { decodeNotification, type Notification } from '#lib/server/channel/notification.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { type RunningApiserver, startApiserver } from './start-apiserver.ts';

const HERE = '/api/v1/namespaces/here';
/** The server itself creates this Service after it has started to listen. */
const SERVICE = '/api/v1/namespaces/default/services/kubernetes';
const rings: Notification[] = [];
const states: ChannelState[] = [];
const ending = new AbortController();
let server: RunningApiserver;
let request: Requester;
let running: Promise<void>;

beforeAll(async () => {
  const now = new Date(systemClock.now());
  const authority = authorityOf(await newSigner(now), now);
  server = await startApiserver({ controllers: ['-*'], scheduler: false, clientCa: authority.certificate });
  request = requester(server);
  const pair = await authority.issue({ name: 'system:node:n1', organizations: ['system:nodes'] });
  const to = { url: server.url, caBundle: server.certificateAuthority, ...pair };
  running = runAgentChannel(
    {
      clock: systemClock,
      node: 'n1',
      hello: { session: 'first', instance: { key: 'n1', machineId: '', bootId: '' } },
      random: Math.random,
      connect: (message, signal) => connectChannel(to, 'n1', message, signal),
      accept: () => undefined,
      ring: (body) => void rings.push(decodeNotification(body)),
      report: (state) => void states.push(state),
    },
    ending.signal,
  );
  await eventually(() => expect(states.length).toBeGreaterThan(0));
  await request('POST', '/api/v1/namespaces', { metadata: { name: 'here' } });
  await request('POST', `${HERE}/serviceaccounts`, { metadata: { name: 'default' } });
});
afterAll(async () => {
  ending.abort();
  await running;
  await server.close();
});

const look = () => request('GET', '/apis/node.davit.dev/v1/nodes/n1/look?interests=');
const createPod = (name: string, nodeName: string) =>
  request('POST', `${HERE}/pods`, {
    metadata: { name },
    spec: { nodeName, containers: [{ name: 'main', image: 'i', envFrom: [{ secretRef: { name: 'used' } }] }] },
  });

test('notifies a polling node of changes to its pods and the objects they refer to, and no other node', async () => {
  await eventually(async () => expect((await request('GET', SERVICE)).status).toBe(200)); // agents are notified of changes to Services
  expect(states).toEqual([{ connected: true, features: ['rings'] }]);
  await createPod('early', 'n1');
  expect(rings).toEqual([]); // the agent watches, and has not requested notifications
  await look();
  await createPod('theirs', 'n2');
  const { body } = await createPod('mine', 'n1');
  const version = (of: typeof body): string => String(Object(of['metadata']).resourceVersion);
  await eventually(() => expect(rings.length).toBeGreaterThan(0));
  expect(rings.splice(0)).toEqual([{ pods: version(body) }]);
  await look();
  await request('POST', `${HERE}/secrets`, { metadata: { name: 'other' } });
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  await request('PATCH', `${HERE}/pods/mine/status`, { status });
  const { body: secret } = await request('POST', `${HERE}/secrets`, { metadata: { name: 'used' } });
  await eventually(() => expect(rings.length).toBeGreaterThan(0));
  expect(rings).toEqual([{ secrets: version(secret) }]);
  const { body: metrics } = await request('GET', '/metrics');
  expect(String(metrics['text'])).toContain('davit_node_rings_total{result="rung"} 2');
});
