import { createServer, type RequestListener } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { duplexOf } from '#adapters/server/kubelet/stream.ts';
import { configOf } from '#functions/apiserver/config.ts';
import { openPlatform } from '#functions/apiserver/platform.ts';
import { ENDPOINT_SLICES, NODES, PODS, SERVICE_ACCOUNTS, SERVICES } from '#lib/api/types/resources.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import { bootstrap } from '#lib/controllers/bootstrap/first-start.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { schedulerConfiguration } from '#lib/scheduler/apis/config/configuration.ts';
import { SCHEDULER_USER } from '#lib/scheduler/user.ts';
import { ADDRESS_TYPES } from '#lib/server/channel/backends.ts';
import { GatewayBench } from '#lib/server/channel/gateway/testing/bench.ts';
import { numbers } from '#lib/server/channel/testing/ends.ts';
import { MemoryTable } from '#test/support/dynamodb-local/memory-table.ts';
import { EventClock } from '#test/support/event-clock.ts';
import { serverInProcess } from '#test/support/server-in-process.ts';
import { newExtenderConnections, scheduleAll, schedulerClient } from './wiring.ts';

const EXTENDER = '10.1.2.3';
const configuration = schedulerConfiguration({
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  extenders: [{ urlPrefix: 'http://extender.tools.svc:80', filterVerb: 'filter', nodeCacheCapable: true }],
});

/**
 * Creates a pod on `n1` for the Service `extender` in the namespace `tools`, and a pod that waits for a node. Returns the first pod's UID.
 */
async function populate(admin: Client): Promise<string> {
  await admin.create({ group: '', version: 'v1', resource: 'namespaces' }, { metadata: { name: 'tools' } });
  const make = (resource: Parameters<Client['create']>[0], object: JsonObject, namespace?: string) =>
    admin.create(resource, {
      ...object,
      metadata: { ...(object['metadata'] as JsonObject), ...(namespace && { namespace }) },
    });
  for (const name of ['n1', 'n2']) {
    await make(NODES, { metadata: { name } });
    const ref = { resource: NODES, namespace: '', name };
    await admin.patch(ref, { spec: { taints: null } });
    const allocatable = { cpu: '1', memory: '1Gi', pods: '3' };
    await admin.patch(ref, { status: { capacity: allocatable, allocatable } }, 'status');
  }
  const containers = [{ name: 'c', image: 'i' }];
  for (const namespace of ['tools', 'default'])
    await make(SERVICE_ACCOUNTS, { metadata: { name: 'default' } }, namespace);
  const pod = await make(PODS, { metadata: { name: 'extender' }, spec: { nodeName: 'n1', containers } }, 'tools');
  const ref = { resource: PODS, namespace: 'tools', name: 'extender' };
  await admin.patch(ref, { status: { podIP: EXTENDER, podIPs: [{ ip: EXTENDER }] } }, 'status');
  await make(SERVICES, { metadata: { name: 'extender' }, spec: { ports: [{ port: 80 }] } }, 'tools');
  const targetRef = { kind: 'Pod', namespace: 'tools', name: 'extender', uid: uidOf(pod) };
  const slice = {
    metadata: { name: 'extender', labels: { 'kubernetes.io/service-name': 'extender' } },
    addressType: 'IPv4',
    ports: [{ name: '', port: 8888 }],
    endpoints: [{ addresses: [EXTENDER], nodeName: 'n1', conditions: { ready: true }, targetRef }],
  };
  await make(ENDPOINT_SLICES, slice, 'tools');
  await make(PODS, { metadata: { name: 'waiting' }, spec: { containers } }, 'default');
  return uidOf(pod);
}

const settle = (bench: GatewayBench, server: ReturnType<typeof serverInProcess>['server']) => async () => {
  using connections = await newExtenderConnections(server, bench.server.channels);
  const client = schedulerClient({ handle: server.handle, token: 'scheduler' });
  const parts = {
    client,
    clock: bench.clock,
    random: () => 0,
    configuration,
    connections,
    reportFault: () => undefined,
  };
  return await scheduleAll(parts, new AbortController().signal);
};

test('an extender in a pod is called via the gateway, with the identity of the scheduler', async () => {
  const clock = new EventClock();
  const bench = new GatewayBench(clock, numbers(1));
  const asked: unknown[] = [];
  const answer: RequestListener = (request, response) =>
    void json(request).then((args) => {
      asked.push(request.url, (args as { readonly NodeNames?: unknown }).NodeNames);
      response.end(JSON.stringify({ NodeNames: ['n2'] }));
    });
  const extender = createServer(answer);
  const agent = bench.anAgent('n1', undefined, (stream) => void extender.emit('connection', duplexOf(stream)));
  const { channels } = bench.server;
  const { server } = serverInProcess({
    clock,
    tokens: new Map([['scheduler', SCHEDULER_USER]]),
    backends: {
      channels,
      preferredAddressTypes: ADDRESS_TYPES,
      roundTripper: { send: () => Promise.reject(new Error('no node is asked')) },
    },
  });
  const admin = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'test' });
  await bootstrap(admin, { host: '127.0.0.1', port: 6443 });
  const podUID = await populate(admin);
  await bench.pass(1000);

  expect(await clock.runUntil(settle(bench, server)())).toBe(true);

  expect(asked).toEqual(['/filter', expect.arrayContaining(['n1', 'n2'])]);
  const waiting = { resource: PODS, namespace: 'default', name: 'waiting' };
  expect(await admin.get(waiting)).toMatchObject({ spec: { nodeName: 'n2' } });
  const [{ grant } = { grant: undefined }] = agent.accepted;
  expect(grant).toMatchObject({ node: 'n1', podUID, host: EXTENDER, port: 8888, user: SCHEDULER_USER.name });
  await clock.runUntil(agent.stop());
  await server.close();
});

test.each([
  ['with a WebSocket API of nodes', { DAVIT_CHANNEL_URL: 'wss://gateway.example.com/davit' }, true],
  ['without one', {}, false],
])('a platform process %s has the expected access to pods', async (_, environment, reaches) => {
  const config = configOf({
    DAVIT_TABLE: 'davit',
    DAVIT_CLUSTER_ID: 'test',
    DAVIT_ADMIN: 'arn:aws:iam::123456789012:role/Admin',
    DAVIT_OPTIONS: '/none/apiserver.json',
    ...environment,
  });
  const { server, channels } = await openPlatform(config, 'api.example.com:443', new Map(), {
    table: new MemoryTable(),
  });
  expect(channels !== undefined).toBe(reaches);
  await server.close();
});
