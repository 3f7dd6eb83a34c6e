import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request as httpsRequest, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Authority } from '#lib/controllers/certificates/issue.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { simpleDefinition } from '#test/support/simple-definition.ts';
import { newAuthority } from './certs.ts';
import { type RunningApiserver, startApiserver } from './start-apiserver.ts';

const GROUP = 'wardle.example.com';
const HERE = `/apis/${GROUP}/v1`;
const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';
const faults: string[] = [];

let server: RunningApiserver;
let send: Requester;
let authority: Authority;
/** Signs the certificate that replaces the server's own. */
let laterProxies: Authority;
let backend: Server;
/** Requests that reached the backend, without availability checks. */
let asked: { readonly url: string; readonly headers: IncomingMessage['headers']; readonly peer: string }[] = [];

beforeAll(async () => {
  server = await startApiserver({ reportFault: (id, error) => faults.push(`${id}: ${String(error)}`) });
  send = requester(server);
  authority = await newAuthority(new Date());
  laterProxies = await newAuthority(new Date());
  backend = await listening(0);
  await send('POST', '/api/v1/namespaces/default/services', {
    metadata: { name: 'api' },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  });
});
afterAll(async () => {
  backend.closeAllConnections();
  backend.close();
  await server.close();
});

/** A server that trusts proxies as described in `extension-apiserver-authentication`. */
async function listening(port: number): Promise<Server> {
  const { body } = await send('GET', '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication');
  const { 'requestheader-client-ca-file': ca = '' } = body['data'] as Record<string, string>;
  const { certificate, key } = await authority.issue({ name: 'api' }, ['api.default.svc']);
  const trust = { ca: [ca, laterProxies.certificate], requestCert: true, rejectUnauthorized: true };
  const made = createServer({ cert: certificate, key, ...trust }, answer);
  made.on('upgrade', (_request: IncomingMessage, socket: Duplex) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n');
    socket.on('error', () => {}).pipe(socket);
  });
  await once(made.listen(port, 'localhost'), 'listening');
  return made;
}

const reference = { $ref: '#/definitions/io.k8s.api.core.v1.Pod' };
/** The backend's OpenAPI v2 document, whose Pod differs from ours. */
const swagger = {
  etag: '"1"',
  document: {
    swagger: '2.0',
    paths: {
      [`${HERE}/flunders`]: { get: { responses: { '200': { description: 'OK', schema: reference } } } },
      '/api/v1/pods': { get: { responses: { '200': { description: 'not ours' } } } },
    },
    definitions: { 'io.k8s.api.core.v1.Pod': { description: 'Another', type: 'object' }, Gone: {} },
  },
};

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { url = '', headers } = request;
  const peer = String((request.socket as TLSSocket).getPeerCertificate().subject.CN);
  if (headers['x-remote-user'] !== 'system:kube-aggregator') asked.push({ url, headers, peer });
  const json = (body: unknown, status = 200) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (url.includes('watch=true')) {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"type":"ADDED"}\n');
    return;
  }
  if (url === '/openapi/v2') {
    response.setHeader('etag', swagger.etag);
    return headers['if-none-match'] === swagger.etag ? json('', 304) : json(swagger.document);
  }
  if (url === '/openapi/v3') return json('', 404);
  if (url.endsWith('/moved')) return void response.writeHead(302, { location: 'https://example.com' }).end();
  if (request.method === 'POST') return void request.pipe(response.writeHead(201, { 'content-type': 'x/y' }));
  const verbs = ['get'];
  json({
    kind: 'APIResourceList',
    groupVersion: `${GROUP}/v1`,
    resources: [{ name: 'flunders', kind: 'Flunder', namespaced: true, verbs }],
  });
}

const portOf = (of: Server): number => (of.address() as AddressInfo).port;

const apiService = (name: string, more: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: {
    group: name.slice(name.indexOf('.') + 1),
    version: name.slice(0, name.indexOf('.')),
    groupPriorityMinimum: 2000,
    versionPriority: 200,
    service: { namespace: 'default', name: 'api', port: portOf(backend) },
    caBundle: Buffer.from(authority.certificate).toString('base64'),
    ...more,
  },
});

interface Available {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

async function availability(name: string): Promise<Partial<Available>> {
  const { body } = await send('GET', `${SERVICES}/${name}`);
  const { conditions = [] } = (body['status'] ?? {}) as { conditions?: Available[] };
  return conditions[0] ?? {};
}

const becomes = (name: string, reason: string): Promise<void> =>
  eventually(
    async () => (await availability(name)).reason === reason,
    () => `${name} ${reason}`,
  );

test('publishes the authority of its own proxy certificate', async () => {
  const { body } = await send('GET', '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication');
  expect(body['data']).toEqual({
    'client-ca-file': expect.stringContaining('BEGIN CERTIFICATE'),
    'requestheader-allowed-names': '["front-proxy-client"]',
    'requestheader-client-ca-file': expect.stringContaining('BEGIN CERTIFICATE'),
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-uid-headers': '["X-Remote-Uid"]',
    'requestheader-username-headers': '["X-Remote-User"]',
  });
});

describe('a group version of another server', () => {
  beforeAll(async () => {
    await send('POST', SERVICES, apiService(`v1.${GROUP}`));
    await becomes(`v1.${GROUP}`, 'Passed');
  });

  test('is available, and appears in discovery', async () => {
    expect(await availability(`v1.${GROUP}`)).toMatchObject({ status: 'True', message: 'all checks passed' });
    const { body: groups } = await send('GET', '/apis');
    expect(JSON.stringify(groups)).toContain(`"name":"${GROUP}"`);
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const { body: discovery } = await requester(server, { accept })('GET', '/apis');
    const items = discovery['items'] as { metadata: { name: string }; versions: JsonObject[] }[];
    expect(items.find(({ metadata }) => metadata.name === GROUP)?.versions).toEqual([
      expect.objectContaining({
        version: 'v1',
        freshness: 'Current',
        resources: [expect.objectContaining({ resource: 'flunders' })],
      }),
    ]);
    expect((await send('GET', HERE)).body).toMatchObject({ kind: 'APIResourceList' });
    expect((await send('GET', `/apis/${GROUP}`)).body).toMatchObject({ kind: 'APIGroup', name: GROUP });
  });

  test('appears in OpenAPI, even if its server has only v2', async () => {
    const { body } = await send('GET', '/openapi/v2');
    const { paths, definitions } = body as Record<'paths' | 'definitions', Record<string, JsonObject>>;
    expect(paths[`${HERE}/flunders`]).toEqual({
      get: {
        responses: { '200': { description: 'OK', schema: { $ref: '#/definitions/io.k8s.api.core.v1.Pod_v2' } } },
      },
    });
    expect(definitions['io.k8s.api.core.v1.Pod_v2']).toMatchObject({ description: 'Another' });
    expect(definitions['io.k8s.api.core.v1.Pod']).not.toMatchObject({ description: 'Another' });
    expect(JSON.stringify(paths['/api/v1/pods'])).not.toContain('not ours');
    const { body: index } = await send('GET', '/openapi/v3');
    const { serverRelativeURL = '' } = (index['paths'] as Record<string, Record<string, string>>)[HERE.slice(1)] ?? {};
    const { body: document } = await send('GET', serverRelativeURL);
    expect(Object.keys(document['paths'] as JsonObject)).toEqual([`${HERE}/flunders`]);
    const accept = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
    const binary = await requester(server, { accept })('GET', '/openapi/v2');
    expect(binary.status).toBe(200);
    expect(JSON.stringify(binary.body)).toContain('io.k8s.api.core.v1.Pod_v2');
  });

  test('receives the impersonated user, and no header that a client forged', async () => {
    asked = [];
    const lying = requester(server, {
      'impersonate-user': 'ann',
      'impersonate-group': 'a',
      'x-remote-user': 'root',
      'x-remote-group': 'system:masters',
      'x-remote-extra-a': 'b',
    });
    await requester(server)('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'ann' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ann' }],
    });
    await eventually(async () => expect((await lying('GET', `${HERE}/namespaces/default/flunders`)).status).toBe(200));
    expect(asked.at(-1)).toMatchObject({ peer: 'front-proxy-client', headers: { 'x-remote-user': 'ann' } });
    expect(asked.at(-1)?.headers['x-remote-group']).toBe('a, system:authenticated');
    expect(Object.keys(asked.at(-1)?.headers ?? {})).not.toContain('x-remote-extra-a');
    expect(asked.at(-1)?.headers).not.toHaveProperty('authorization');
    expect(asked.at(-1)?.headers).not.toHaveProperty('impersonate-user');
  });

  test('authorizes requests on this server first', async () => {
    asked = [];
    const nobody = requester(server, { 'impersonate-user': 'bob' });
    const { status, body } = await nobody('GET', `${HERE}/namespaces/default/flunders`);
    expect([status, body['message']]).toEqual([
      403,
      `flunders.${GROUP} is forbidden: User "bob" cannot list resource "flunders" in API group "${GROUP}" in the namespace "default"`,
    ]);
    expect(asked).toEqual([]);
  });

  test('receives bodies unchanged, and its redirects are not followed', async () => {
    const { status, body } = await send('POST', `${HERE}/namespaces/default/flunders`, { a: [1] });
    expect([status, body]).toEqual([201, { a: [1] }]);
    expect(await send('GET', `${HERE}/moved`)).toMatchObject({
      status: 502,
      body: { text: 'the backend attempted to redirect this request, which is not permitted' },
    });
  });

  const open = (path: string, headers: Record<string, string> = {}) =>
    httpsRequest(`${server.url}${path}`, {
      ca: server.certificateAuthority,
      headers: { authorization: `Bearer ${server.adminToken}`, ...headers },
    });

  test('streams what it sends before it ends', async () => {
    const watch = open(`${HERE}/namespaces/default/flunders?watch=true`);
    watch.end();
    const [response] = (await once(watch, 'response')) as [IncomingMessage];
    const [first] = (await once(response, 'data')) as [Buffer];
    expect(String(first)).toBe('{"type":"ADDED"}\n');
    response.destroy();
  });

  test('switches protocols on request', async () => {
    const upgrade = open(`${HERE}/namespaces/default/flunders/a/connect`, {
      connection: 'Upgrade',
      upgrade: 'SPDY/3.1',
    });
    upgrade.end();
    const [, socket] = (await once(upgrade, 'upgrade')) as [IncomingMessage, Duplex];
    socket.write('hello');
    const [echo] = (await once(socket, 'data')) as [Buffer];
    expect(String(echo)).toBe('hello');
    socket.destroy();
  });

  test('becomes unavailable when it dies, and available when it returns; own requests continue', async () => {
    const port = portOf(backend);
    backend.closeAllConnections();
    backend.close();
    await once(backend, 'close');
    await send('PATCH', `${SERVICES}/v1.${GROUP}`, { metadata: { labels: { look: 'again' } } });
    await becomes(`v1.${GROUP}`, 'FailedDiscoveryCheck');
    const { message = '' } = await availability(`v1.${GROUP}`);
    expect(message).toMatch(
      new RegExp(
        `^failing or missing response from https://localhost:${port}${HERE}: Get "https://localhost:${port}${HERE}": dial tcp .*: connect: connection refused$`,
      ),
    );
    expect(await send('GET', `${HERE}/namespaces/default/flunders`)).toMatchObject({
      status: 503,
      body: { text: 'service unavailable\n' },
    });
    expect((await send('GET', '/api/v1/namespaces')).status).toBe(200);
    expect((await send('GET', '/apis')).status).toBe(200);
    const gauge = `aggregator_unavailable_apiservice{name="v1.${GROUP}"}`;
    const total = `aggregator_unavailable_apiservice_total{name="v1.${GROUP}",reason="FailedDiscoveryCheck"}`;
    const { text } = (await send('GET', '/metrics')).body;
    expect(String(text)).toContain(`${gauge} 1`);
    expect(String(text).split('\n')).toContain(`${total} 1`);
    expect(String(text)).toContain('aggregator_unavailable_apiservice{name="v1.apps"} 0');
    backend = await listening(port);
    await becomes(`v1.${GROUP}`, 'Passed');
    expect((await send('GET', `${HERE}/namespaces/default/flunders`)).status).toBe(200);
  });

  test('receives the new proxy certificate after a change', async () => {
    server.reconfigure({ proxyClient: await laterProxies.issue({ name: 'rotated' }, []) });
    expect((await send('GET', `${HERE}/namespaces/default/flunders`)).status).toBe(200);
    expect(asked.at(-1)?.peer).toBe('rotated');
  });

  test('disappears with its APIService', async () => {
    await send('DELETE', `${SERVICES}/v1.${GROUP}`);
    const gauge = `aggregator_unavailable_apiservice{name="v1.${GROUP}"}`;
    await eventually(
      async () => !JSON.stringify((await send('GET', '/metrics')).body).includes(JSON.stringify(gauge).slice(1, -1)),
    );
    expect((await send('GET', `${HERE}/namespaces/default/flunders`)).status).toBe(404);
    expect(JSON.stringify((await send('GET', '/apis')).body)).not.toContain(GROUP);
    expect(JSON.stringify((await send('GET', '/openapi/v2')).body)).not.toContain(GROUP);
  });
});

test("a user's APIService replaces a definition, which is served again after its deletion", async () => {
  const group = 'crd.example.com';
  const path = `/apis/${group}/v1/namespaces/default/widgets`;
  await send('POST', SERVICES, apiService(`v1.${group}`));
  await becomes(`v1.${group}`, 'Passed');
  await send(
    'POST',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    simpleDefinition({ group, plural: 'widgets', kind: 'Widget' }),
  );
  expect((await send('GET', path)).body).toMatchObject({ kind: 'APIResourceList' });
  await send('DELETE', `${SERVICES}/v1.${group}`);
  await eventually(async () => expect((await send('GET', path)).body['kind']).toBe('WidgetList'));
  await becomes(`v1.${group}`, 'Local');
});

test('an APIService of a built-in group version has no effect', async () => {
  const { body } = await send('GET', `${SERVICES}/v1.apps`);
  const { spec } = apiService('v1.apps') as { spec: JsonObject };
  const metadata = { ...(body['metadata'] as JsonObject), labels: {} };
  expect((await send('PUT', `${SERVICES}/v1.apps`, { ...body, metadata, spec })).status).toBe(200);
  expect((await send('GET', '/apis/apps/v1/deployments')).body).toMatchObject({ kind: 'DeploymentList' });
  expect((await send('GET', '/apis/apps/v1')).body).toMatchObject({ groupVersion: 'apps/v1' });
});

test.each<[string, JsonObject, JsonObject | undefined, string]>([
  [
    'ServiceNotFound',
    { namespace: 'default', name: 'none', port: 443 },
    undefined,
    'service/none in "default" is not present',
  ],
  [
    'ServicePortError',
    { namespace: 'default', name: 'odd', port: 444 },
    { metadata: { name: 'odd' }, spec: { ports: [{ port: 443 }] } },
    'service/odd in "default" is not listening on port 444',
  ],
  [
    'EndpointsNotFound',
    { namespace: 'default', name: 'bare', port: 443 },
    { metadata: { name: 'bare' }, spec: { ports: [{ port: 443 }] } },
    'cannot find endpointslices for service/bare in "default"',
  ],
])('reports %s', async (reason, service, object, message) => {
  if (object !== undefined) await send('POST', '/api/v1/namespaces/default/services', object);
  const name = `v1.${reason.toLowerCase()}.example.com`;
  await send('POST', SERVICES, apiService(name, { service }));
  await becomes(name, reason);
  expect(await availability(name)).toMatchObject({ status: 'False', message });
  await send('DELETE', `${SERVICES}/${name}`);
});

test('reports no faults', () => {
  expect(faults).toEqual([]);
});
