import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authorityOf } from '#lib/controllers/certificates/issue.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { newAuthority } from './certs.ts';
import { type RunningApiserver, startApiserver } from './start-apiserver.ts';

/** Watches on one backend: 1000 in the full run. */
const WATCHES = process.env['DAVIT_FULL'] === undefined ? 100 : 1000;
const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';

/** The raw bytes of a backend's response to a request for resources, on its own TLS connection. */
type Answer = (socket: TLSSocket, head: string) => void;

const http = (socket: TLSSocket, body: string, headers = ''): void =>
  void socket.end(
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`,
  );

/** The discovery of a well-behaved server of the group. */
const listOf = (group: string): string =>
  JSON.stringify({
    kind: 'APIResourceList',
    groupVersion: `${group}/v1`,
    resources: [{ name: 'things', kind: 'Thing', namespaced: true, verbs: ['get', 'list', 'watch'] }],
  });

let server: RunningApiserver;
let send: Requester;
/** Each session carries at least a hundred streams. */
let sessions: ClientHttp2Session[];
const authority = await newAuthority(new Date());
const faults: string[] = [];
const opened: Server[] = [];
const sockets = new Set<TLSSocket>();

beforeAll(async () => {
  server = await startApiserver({ reportFault: (id, error) => faults.push(`${id}: ${String(error)}`) });
  send = requester(server);
  sessions = Array.from({ length: WATCHES / 100 }, () => connect(server.url, { ca: server.certificateAuthority }));
  await send('POST', '/api/v1/namespaces/default/services', {
    metadata: { name: 'api' },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  });
});
afterAll(async () => {
  for (const session of sessions) session.close();
  for (const socket of sockets) socket.destroy();
  for (const one of opened) one.close();
  await server.close();
  expect(faults).toEqual([]);
});

/** A backend that serves discovery correctly. The test defines every other response. It can be stopped and restarted on its port. */
async function aBackend(group: string, answer: Answer, given: { port?: number; names?: string[] } = {}) {
  const { certificate: cert, key } = await authority.issue({ name: 'api' }, given.names ?? ['api.default.svc']);
  const own = new Set<TLSSocket>();
  const backend = createServer({ cert, key }, (socket) => {
    own.add(socket);
    sockets.add(socket);
    socket.on('error', () => undefined);
    let head = '';
    socket.on('data', (chunk: Buffer) => {
      const isFirst = head === '';
      head += String(chunk);
      if (!isFirst) return;
      if (/^GET \/apis\/[^/]+\/v1 /.test(head) && !group.startsWith('lies')) http(socket, listOf(group));
      else answer(socket, head);
    });
  });
  opened.push(backend);
  await once(backend.listen(given.port ?? 0, 'localhost'), 'listening');
  const { port } = backend.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    for (const socket of own) socket.destroy();
    backend.close();
    await once(backend, 'close');
  };
  return { port, stop };
}

const register = (group: string, port: number, more: JsonObject = {}): Promise<unknown> =>
  send('POST', SERVICES, {
    metadata: { name: `v1.${group}` },
    spec: {
      group,
      version: 'v1',
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      service: { namespace: 'default', name: 'api', port },
      caBundle: Buffer.from(authority.certificate).toString('base64'),
      ...more,
    },
  });

async function condition(group: string): Promise<{ readonly reason?: string; readonly message?: string }> {
  const { body } = await send('GET', `${SERVICES}/v1.${group}`);
  return (
    ((body['status'] as { conditions?: { reason: string; message: string }[] } | undefined)?.conditions ?? [])[0] ?? {}
  );
}

const becomes = (group: string, reason: string): Promise<void> =>
  eventually(
    async () => (await condition(group)).reason === reason,
    () => `${group} ${reason}`,
  );

/** The server's own kinds and discovery still work, whatever a backend does. */
async function othersGoOn(): Promise<void> {
  expect((await send('GET', '/api/v1/namespaces')).status).toBe(200);
  expect(
    (await send('POST', '/api/v1/namespaces/default/configmaps', { metadata: { generateName: 'c' } })).status,
  ).toBe(201);
  expect((await send('GET', '/apis')).status).toBe(200);
}

function open(path: string, i = 0): ClientHttp2Stream {
  const session = sessions[i % sessions.length];
  if (session === undefined) throw new Error('no session is open');
  return session.request({ ':path': path, authorization: `Bearer ${server.adminToken}` });
}

const things = (group: string): string => `/apis/${group}/v1/namespaces/default/things`;

test.each<[string, Answer, number | RegExp]>([
  [
    'injects headers',
    (socket) => void socket.end('HTTP/1.1 200 OK\r\nX-A: b\rSet-Cookie: c\r\nContent-Length: 2\r\n\r\nok'),
    503,
  ],
  [
    'answers with an old HTTP',
    (socket) => void socket.end('HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nold'),
    200,
  ],
  ['answers with no HTTP', (socket) => void socket.end('SSH-2.0-OpenSSH_9\r\n'), 503],
  ['hangs up', (socket) => void socket.destroy(), 503],
  [
    'sends a megabyte of headers',
    (socket) => void socket.end(`HTTP/1.1 200 OK\r\n${`X-A: ${'b'.repeat(1000)}\r\n`.repeat(1000)}\r\n`),
    503,
  ],
  [
    'promises more than it sends',
    (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfew'),
    /EOF|aborted|socket hang up|terminated/,
  ],
  [
    'switches protocols unasked',
    (socket) => void socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    503,
  ],
  [
    'leads to the metadata of the machine',
    (socket) => void socket.end('HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n'),
    502,
  ],
])('a backend that %s harms only its own requests', async (name, answer, expected) => {
  const group = `${name.replaceAll(/[^a-z]+/gi, '-').toLowerCase()}.example.com`;
  const { port } = await aBackend(group, answer);
  await register(group, port);
  await becomes(group, 'Passed');
  const asked = send('GET', things(group));
  if (expected instanceof RegExp) await expect(asked).rejects.toThrow(expected);
  else {
    const { status, body } = await asked;
    expect([status, JSON.stringify(body)]).toEqual([expected, expect.not.stringContaining('Set-Cookie')]);
  }
  await othersGoOn();
});

test('a backend that never ends its responses delays only its own clients', async () => {
  const group = 'endless.example.com';
  const { port } = await aBackend(group, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n');
    const more = (): void => {
      while (!socket.destroyed && socket.write(`10000\r\n${'x'.repeat(65_536)}\r\n`));
      if (!socket.destroyed) socket.once('drain', more);
    };
    more();
  });
  await register(group, port);
  await becomes(group, 'Passed');
  const stream = open(things(group));
  const [headers] = (await once(stream, 'response')) as [{ ':status': number }];
  expect(headers[':status']).toBe(200);
  await othersGoOn(); // the stream is not read, so backpressure reaches the backend
  stream.destroy();
  await once(stream, 'close');
  await othersGoOn();
});

test.each<[string, Answer]>([
  ['another group', (socket) => http(socket, listOf('apps'))],
  [
    'more than is read',
    (socket) => http(socket, `{"kind":"APIResourceList","resources":[],"x":"${'x'.repeat(5_000_000)}"}`),
  ],
  ['no JSON', (socket) => http(socket, '<html>')],
])('a backend whose discovery has %s is listed without resources of others', async (name, answer) => {
  const group = `lies-${name.replaceAll(/[^a-z]+/gi, '-').toLowerCase()}.example.com`;
  const { port } = await aBackend(group, answer);
  await register(group, port);
  await eventually(async () => expect((await condition(group)).reason).toBeDefined());
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const { body } = await requester(server, { accept })('GET', '/apis');
  const items = body['items'] as { metadata: { name: string }; versions: { resources?: unknown[] }[] }[];
  const apps = items.find((item) => item.metadata.name === 'apps')?.versions[0]?.resources;
  expect(JSON.stringify(apps)).toContain('deployments');
  expect(JSON.stringify(items.find((item) => item.metadata.name === group) ?? {})).not.toContain('deployments');
  expect((await send('GET', '/apis/apps/v1/deployments')).body).toMatchObject({ kind: 'DeploymentList' });
  await othersGoOn();
});

test('a backend with a certificate for another name is unavailable', async () => {
  const group = 'stranger.example.com';
  const { port } = await aBackend(group, (socket) => http(socket, '{}'), { names: ['other.default.svc'] });
  await register(group, port);
  await becomes(group, 'FailedDiscoveryCheck');
  expect((await condition(group)).message).toContain(
    'x509: certificate is valid for other.default.svc, not api.default.svc',
  );
  const { port: foreign } = await aBackend('foreign.example.com', (socket) => http(socket, '{}'));
  const other = authorityOf(await newAuthority(new Date()), new Date());
  await register('foreign.example.com', foreign, { caBundle: Buffer.from(other.certificate).toString('base64') });
  await becomes('foreign.example.com', 'FailedDiscoveryCheck');
  expect((await condition('foreign.example.com')).message).toContain('x509: certificate signed by unknown authority');
});

test('a client can neither impersonate another user nor reach another server with its Host header', async () => {
  const group = 'identity.example.com';
  const heads: string[] = [];
  const { port } = await aBackend(group, (socket, head) => {
    heads.push(head);
    http(socket, '{}');
  });
  await register(group, port);
  await becomes(group, 'Passed');
  const lying = requester(server, {
    'X-Remote-User': 'system:admin',
    'x-remote-GROUP': 'system:masters',
    'X-Remote-Extra-Scopes': 'all',
    x_remote_user: 'root',
    Connection: 'close, X-Remote-User',
    Host: 'kubernetes.default.svc',
  });
  await lying('GET', things(group));
  const names = heads.join('\r\n').toLowerCase();
  expect(names).toContain('x-remote-user: admin\r\n');
  expect(names.match(/x-remote-user:/g)).toHaveLength(1);
  expect(names).not.toMatch(/x-remote-extra-scopes|x_remote|root|system:admin|authorization|kubernetes\.default\.svc/);
});

test(`each of ${WATCHES} watches ends with its backend, and resumes when the backend is back`, async () => {
  const group = 'watched.example.com';
  const answer: Answer = (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n');
    socket.write('11\r\n{"type":"ADDED"}\n\r\n');
  };
  const first = await aBackend(group, answer);
  await register(group, first.port);
  await becomes(group, 'Passed');
  const watchOne = async (i: number) => {
    const stream = open(`${things(group)}?watch=true`, i).on('error', () => undefined);
    const [event] = (await once(stream, 'data')) as [Buffer];
    return { event: String(event), stream };
  };
  /** One hundred concurrent watches. Each starts with a TLS handshake, and this process runs both sides. */
  const watchAll = async () => {
    const all: Awaited<ReturnType<typeof watchOne>>[] = [];
    while (all.length < WATCHES)
      all.push(...(await Promise.all(Array.from({ length: 100 }, (_, i) => watchOne(all.length + i)))));
    return all;
  };
  const watches = await watchAll();
  expect(new Set(watches.map(({ event }) => event))).toEqual(new Set(['{"type":"ADDED"}\n']));
  const ended = watches.map(({ stream }) => new Promise((resolve) => stream.once('close', resolve)));
  await first.stop();
  await Promise.all(ended);
  await othersGoOn();
  await aBackend(group, answer, { port: first.port });
  await eventually(
    async () =>
      (await send('GET', SERVICES + `/v1.${group}`)).status === 200 && (await condition(group)).reason === 'Passed',
  );
  for (const { stream, event } of await watchAll()) {
    expect(event).toBe('{"type":"ADDED"}\n');
    stream.destroy();
  }
  await othersGoOn();
});
