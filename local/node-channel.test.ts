import { createServer, type RequestListener } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#adapters/clock.ts';
import { duplexOf } from '#adapters/server/kubelet/stream.ts';
import { type Authority, authorityOf } from '#lib/controllers/certificates/issue.ts';
import { newSigner } from '#lib/controllers/certificates/new-signer.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { ByteStream } from '#lib/server/channel/byte-stream.ts';
import type { Grant } from '#lib/server/channel/grant.ts';
import { ChannelAgent } from '#test/support/channel-agent.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Answer, type Requester, requester } from '#test/support/requester.ts';
import { type RunningApiserver, startApiserver } from './start-apiserver.ts';

let authority: Authority;
let server: RunningApiserver;
let request: Requester;
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
});
afterAll(async () => {
  await server.close();
  expect(faults).toEqual([]);
});

/** An agent that serves requests on its streams, with the certificate of `user`. */
async function agentOf(node: string, listener: RequestListener, user?: string): Promise<ChannelAgent> {
  const http = createServer(listener);
  const accept = (_: Grant, stream: ByteStream): void => void http.emit('connection', duplexOf(stream));
  return ChannelAgent.start({ server, authority, node, accept, ...defined({ user }) });
}

const healthz: RequestListener = (asked, response) => void response.end(`${asked.method} ${asked.url}`);

const textOf = ({ status, body }: Answer): string => `${status} ${String(body['message'] ?? body['text'])}`;

beforeEach(async () => {
  await request('DELETE', '/api/v1/nodes');
  for (const name of ['n1', 'n2']) await request('POST', '/api/v1/nodes', { metadata: { name } });
});

describe('a node with a channel', () => {
  test('is reachable until its agent ends', async () => {
    const proxied = (): Promise<Answer> => request('GET', '/api/v1/nodes/n1/proxy/healthz?verbose');
    expect(textOf(await proxied())).toContain('500 no preferred addresses found');
    {
      await using agent = await agentOf('n1', healthz);
      await eventually(() => expect(agent.states).toEqual([{ connected: true, features: [] }]));
      expect(textOf(await proxied())).toBe('200 GET /healthz?verbose');
      expect(textOf(await request('GET', '/api/v1/nodes/n2/proxy/healthz'))).toContain('500 no preferred addresses');
    }
    await eventually(async () => expect(textOf(await proxied())).toContain('503')); // the agent may reconnect for 30 s
  });

  test('carries responses of any size', async () => {
    const chunk = Buffer.alloc(100_000, 'x');
    await using agent = await agentOf('n1', (_, response) => {
      for (let i = 0; i < 50; i++) response.write(chunk);
      response.end();
    });
    await eventually(() => expect(agent.states.length).toBe(1));
    const { body } = await request('GET', '/api/v1/nodes/n1/proxy/large');
    expect(String(body['text']).length).toBe(5_000_000);
  });

  test('carries a hundred concurrent requests', async () => {
    await using agent = await agentOf('n1', healthz);
    await eventually(() => expect(agent.states.length).toBe(1));
    const paths = Array.from({ length: 100 }, (_, i) => `/pods/${i}`);
    const answers = await Promise.all(paths.map((path) => request('GET', `/api/v1/nodes/n1/proxy${path}`)));
    expect(answers.map(textOf)).toEqual(paths.map((path) => `200 GET ${path}`));
  });
});

describe('a pod on a node with a channel', () => {
  const PODS = '/api/v1/namespaces/default/pods';

  /** Creates a pod on n1 with an address that no machine has. Returns its UID. */
  async function aPod(): Promise<string> {
    await request('DELETE', PODS, { gracePeriodSeconds: 0 });
    const spec = { nodeName: 'n1', containers: [{ name: 'web', image: 'i', ports: [{ containerPort: 8080 }] }] };
    await request('POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
    await request('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
    const { status: created, body } = await request('POST', PODS, { metadata: { name: 'p' }, spec });
    expect([created, body]).toEqual([201, body]);
    const status = { phase: 'Running', podIP: '10.77.0.9', podIPs: [{ ip: '10.77.0.9' }] };
    await request('PUT', `${PODS}/p/status`, { ...body, status });
    return String(Object(body['metadata']).uid);
  }

  test.each<[string, string, Partial<Grant>]>([
    ['a proxy', 'proxy/x', { verb: 'proxy', host: '10.77.0.9', port: 8080, container: '' }],
    ['its log', 'log', { verb: 'logs', host: 'n1', port: 10_250, container: 'web' }],
  ])("is reachable for %s, and the agent receives the user's request", async (_, path, expected) => {
    await using agent = await agentOf('n1', healthz);
    await eventually(() => expect(agent.states.length).toBe(1));
    const podUID = await aPod();
    expect((await request('GET', `${PODS}/p/${path}`)).status).toBe(200);
    expect(agent.grants).toEqual([expect.objectContaining({ ...expected, node: 'n1', podUID, user: 'admin' })]);
  });

  test('is reachable as an endpoint of a Service', async () => {
    await using agent = await agentOf('n1', healthz);
    await eventually(() => expect(agent.states.length).toBe(1));
    const podUID = await aPod();
    const made = await request('POST', '/api/v1/namespaces/default/endpoints', {
      metadata: { name: 's' },
      subsets: [
        {
          addresses: [{ ip: '10.77.0.9', targetRef: { kind: 'Pod', name: 'p', namespace: 'default' } }],
          ports: [{ port: 9090 }],
        },
      ],
    });
    expect(made).toMatchObject({ status: 201 });
    const answer = await request('GET', '/api/v1/namespaces/default/services/s/proxy/x');
    expect(textOf(answer)).toContain('200 GET /x');
    expect(agent.grants).toEqual([expect.objectContaining({ podUID, host: '10.77.0.9', port: 9090 })]);
  });
});

describe('a rejected request for a channel', () => {
  test('is for another node', async () => {
    await using agent = await agentOf('n1', healthz, 'system:node:n2');
    const [first] = await eventually(() => expect(agent.states).not.toEqual([])).then(() => agent.states);
    expect(first).toEqual({
      connected: false,
      reason: expect.stringMatching(
        /^nodes\.node\.davit\.dev "n1" is forbidden: User "system:node:n2" cannot get resource "nodes\/channel"/,
      ),
    });
  });

  test.each([
    ['/apis/node.davit.dev/v1/nodes/n1/channel', '400 Upgrade request required'],
    ['/apis/node.davit.dev/v2/nodes/n1/channel', '404 the server could not find the requested resource'],
    ['/apis/node.davit.dev/v1/nodes/n1/channel/more', '404 the server could not find the requested resource'],
  ])('is at %s', async (path, answer) => {
    expect(textOf(await request('GET', path))).toBe(answer);
  });
});
