import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#adapters/clock.ts';
import { duplexOf } from '#adapters/server/kubelet/stream.ts';
import { type Authority, authorityOf } from '#lib/controllers/certificates/issue.ts';
import { newSigner } from '#lib/controllers/certificates/new-signer.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { AgentChannelPorts } from '#lib/server/channel/agent-channel.ts';
import type { ByteStream } from '#lib/server/channel/byte-stream.ts';
import { ChannelAgent } from '#test/support/channel-agent.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Answer, type Requester, requester } from '#test/support/requester.ts';
import { type RunningApiserver, startApiserver } from './start-apiserver.ts';

/** An address that no machine has. */
const POD_IP = '10.77.0.9';
const HOOKS = '/api/v1/namespaces/hooks';
const HERE = '/api/v1/namespaces/here';
const SLICES = '/apis/discovery.k8s.io/v1/namespaces/hooks/endpointslices';
const WEBHOOKS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

let authority: Authority;
let server: RunningApiserver;
let request: Requester;
/** The webhook's server in the pod. */
let pod: Server;
let answering: RequestListener;
/** TLS connections that reached the pod. */
let connections: Duplex[] = [];
let podUID = '';
/** The path of the webhook, a new one for each test: a test that breaks the webhook leaves the circuit breaker of its path open. */
let place = '';
let tests = 0;
const faults: unknown[] = [];

beforeAll(async () => {
  const now = new Date(systemClock.now());
  authority = authorityOf(await newSigner(now), now);
  server = await startApiserver({
    controllers: false,
    clientCa: authority.certificate,
    reportFault: (_, fault) => void faults.push(fault),
  });
  request = requester(server);
  const { certificate, key } = await authority.issue({ name: 'hook' }, ['hook.hooks.svc', 'sites.hooks.svc']);
  pod = createServer({ cert: certificate, key }, (asked, response) => answering(asked, response));
  pod.on('secureConnection', (socket) => connections.push(socket));
  for (const name of ['hooks', 'here', 'default']) await made('/api/v1/namespaces', { metadata: { name } });
  await made('/api/v1/nodes', { metadata: { name: 'n1' } });
  podUID = await aPod();
  const ports = [{ name: 'https', port: 443 }];
  await made(`${HOOKS}/services`, { metadata: { name: 'hook' }, spec: { ports } });
  const targetRef = { kind: 'Pod', namespace: 'hooks', name: 'p', uid: podUID };
  await made(SLICES, {
    metadata: { name: 'hook-1', labels: { 'kubernetes.io/service-name': 'hook' } },
    addressType: 'IPv4',
    ports: [{ name: 'https', port: 8443 }],
    endpoints: [{ addresses: [POD_IP], nodeName: 'n1', targetRef, conditions: { ready: true } }],
  });
});
afterAll(async () => {
  await server.close();
  expect(faults).toEqual([]);
});
beforeEach(async () => {
  connections = [];
  place = `/test${tests++}`;
  answering = reviewing({ allowed: true });
  await request('DELETE', WEBHOOKS);
});

async function made(path: string, object: JsonObject): Promise<JsonObject> {
  const { status, body } = await request('POST', path, object);
  expect(status, String(body['message'])).toBe(201);
  return body;
}

/** Creates the webhook's pod on n1. Returns its UID. */
async function aPod(): Promise<string> {
  await made(`${HOOKS}/serviceaccounts`, { metadata: { name: 'default' } });
  const spec = { nodeName: 'n1', containers: [{ name: 'hook', image: 'i' }] };
  const body = await made(`${HOOKS}/pods`, { metadata: { name: 'p' }, spec });
  const status = { phase: 'Running', podIP: POD_IP, podIPs: [{ ip: POD_IP }] };
  expect((await request('PUT', `${HOOKS}/pods/p/status`, { ...body, status })).status).toBe(200);
  return String(Object(body['metadata']).uid);
}

/** Registers the webhook for ConfigMaps in the namespace `here`. */
const register = (more: JsonObject = {}): Promise<JsonObject> =>
  made(WEBHOOKS, {
    metadata: { name: 'w' },
    webhooks: [
      {
        name: 'w.example.com',
        clientConfig: {
          service: { namespace: 'hooks', name: 'hook', path: place },
          caBundle: Buffer.from(authority.certificate).toString('base64'),
        },
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'here' } },
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...more,
      },
    ],
  });

/** The error message of a failed call, with its cause. */
const failure = (seconds: number, cause: string): string =>
  `Internal error occurred: failed calling webhook "w.example.com": failed to call webhook: Post "https://hook.hooks.svc:443${place}?timeout=${seconds}s": ${cause}`;

const LATE = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';

const reviewing =
  (response: JsonObject): RequestListener =>
  (asked, answer) => {
    let text = '';
    asked.setEncoding('utf8').on('data', (part: string) => (text += part));
    asked.on('end', () => {
      const { apiVersion, kind, request: reviewed } = JSON.parse(text) as Record<string, { uid: string }>;
      answer.setHeader('content-type', 'application/json');
      answer.end(JSON.stringify({ apiVersion, kind, response: { uid: reviewed?.uid, ...response } }));
    });
  };

/** The outcome of creating a ConfigMap: `created`, or the error message. */
async function outcome(): Promise<string> {
  const { status, body }: Answer = await request('POST', `${HERE}/configmaps`, { metadata: { generateName: 'c-' } });
  return status === 201 ? 'created' : String(body['message']);
}

/** An agent for n1. The webhook runs in a pod on n1. */
async function agentOf(accept: AgentChannelPorts['accept'] = intoPod): Promise<ChannelAgent> {
  const agent = await ChannelAgent.start({ server, authority, node: 'n1', accept });
  await eventually(() => expect(agent.states).toEqual([{ connected: true, features: [] }]));
  return agent;
}

const intoPod: AgentChannelPorts['accept'] = (_, stream) => void pod.emit('connection', duplexOf(stream));

describe('a webhook in a pod whose node has a channel', () => {
  test('is called via the channel, with a grant for that pod only, and its certificate is verified', async () => {
    await using agent = await agentOf();
    await register();
    expect(await outcome()).toBe('created');
    answering = reviewing({ allowed: false, status: { message: 'not today' } });
    expect(await outcome()).toBe('admission webhook "w.example.com" denied the request: not today');
    const grant = {
      verb: 'proxy',
      node: 'n1',
      podUID,
      host: POD_IP,
      port: 8443,
      user: 'system:apiserver',
      container: '',
    };
    expect(agent.grants).toEqual([expect.objectContaining(grant)]);
    expect(connections.length).toBe(1);
  });

  test('is called over a new connection if it has ended the kept one', async () => {
    await using agent = await agentOf();
    await register();
    expect(await outcome()).toBe('created');
    for (const connection of connections) {
      connection.on('error', () => undefined).end();
      await new Promise((resolve) => connection.once('close', resolve));
    }
    expect(await outcome()).toBe('created');
    expect(agent.grants.length).toBe(2);
  });

  test.each<[string, RequestListener, string]>([
    ['does not answer in time', () => undefined, LATE],
    ['breaks off', (asked) => asked.socket.destroy(), 'EOF'],
  ])('%s: the call fails as over TCP', async (_, listener, message) => {
    await using _agent = await agentOf();
    answering = listener;
    await register({ timeoutSeconds: 1 });
    expect(await outcome()).toBe(failure(1, message));
  });

  test('reports the end of the agent during a call as a broken connection', async () => {
    const agent = await agentOf();
    const asked = Promise.withResolvers<void>();
    answering = () => asked.resolve();
    await register({ timeoutSeconds: 30 });
    const failed = outcome();
    await asked.promise;
    await agent[Symbol.asyncDispose]();
    await using _next = await agentOf();
    expect(await failed).toBe(failure(30, 'EOF'));
  });

  test.each([
    ['no pod of node "n1" has the UID', `dial tcp ${POD_IP}:8443: no pod of node "n1" has the UID`],
    [`dial tcp ${POD_IP}:8443: connect: connection refused`, `dial tcp ${POD_IP}:8443: connect: connection refused`],
  ])('reports a rejection by the agent as a failed dial: %s', async (said, message) => {
    await using _agent = await agentOf(() => {
      throw new Error(said);
    });
    await register();
    expect(await outcome()).toBe(failure(10, message));
  });

  test('waits no longer than the time-out for an agent that opens no stream', async () => {
    await using _agent = await agentOf(() => new Promise<void>(() => undefined));
    await register({ timeoutSeconds: 1 });
    expect(await outcome()).toBe(failure(1, LATE));
  });

  test('waits no longer than the time-out for a pod that is silent in TLS, and ends the stream', async () => {
    const streams: ByteStream[] = [];
    await using _agent = await agentOf((_, stream) => void streams.push(stream));
    await register({ timeoutSeconds: 1 });
    expect(await outcome()).toBe(failure(1, LATE));
    for (const { incoming } of streams) await expect(Array.fromAsync(incoming)).rejects.toThrow(/given up|destroyed/);
    expect(streams.length).toBe(1);
  });

  test('rejects a certificate of another name', async () => {
    const { certificate, key } = await authority.issue({ name: 'other' }, ['other.hooks.svc']);
    const other = createServer({ cert: certificate, key });
    await using _agent = await agentOf((__, stream) => void other.emit('connection', duplexOf(stream)));
    await register();
    expect(await outcome()).toContain('x509: certificate is valid for other.hooks.svc, not hook.hooks.svc');
  });

  test('failurePolicy Ignore lets the request pass', async () => {
    await using _agent = await agentOf((_, stream) => stream.destroy());
    await register({ failurePolicy: 'Ignore', timeoutSeconds: 2 });
    expect(await outcome()).toBe('created');
  });
});
