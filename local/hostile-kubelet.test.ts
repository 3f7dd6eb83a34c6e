import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:http2';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Kubelet, startKubelet } from '#test/support/kubelet/kubelet.ts';
import { type Answer, type Requester, requester } from '#test/support/requester.ts';
import { type RunningApiserver, startApiserver } from './start-apiserver.ts';

const PODS = '/api/v1/namespaces/default/pods';
const LOG = '/containerLogs/default/web/main';
let kubelet: Kubelet;
let server: RunningApiserver;
let request: Requester;
const faults: unknown[] = [];

async function made(path: string, object: JsonObject): Promise<void> {
  const { status, body } = await request('POST', path, object);
  expect(status, String(body['message'])).toBe(201);
}

beforeAll(async () => {
  kubelet = await startKubelet();
  server = await startApiserver({
    controllers: false,
    kubelet: kubelet.options,
    reportFault: (_, fault) => void faults.push(fault),
  });
  request = requester(server);
  await made('/api/v1/namespaces', { metadata: { name: 'default' } });
  await made('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  await made('/api/v1/nodes', { metadata: { name: 'n1' }, status: kubelet.nodeStatus as unknown as JsonObject });
  await made(PODS, { metadata: { name: 'web' }, spec: { nodeName: 'n1', containers: [{ name: 'main', image: 'i' }] } });
});
afterAll(async () => {
  await server.close();
  await kubelet.close();
  expect(faults).toEqual([]);
});

const textOf = ({ status, body }: Answer): string => `${status} ${String(body['message'] ?? body['text'])}`;

describe('a log request to a hostile kubelet', () => {
  test('is cut off if it redirects without end', async () => {
    kubelet.on(LOG, {
      request: (_, response) => response.writeHead(302, { location: 'https://169.254.169.254/' }).flushHeaders(),
    });
    expect(textOf(await request('GET', `${PODS}/web/log`))).toBe(
      '500 Get "https://169.254.169.254/": redirects forbidden',
    );
    await eventually(() => expect(kubelet.connections()).toBe(0));
  });

  test('is aborted for the client if the kubelet aborts it', async () => {
    kubelet.on(LOG, {
      request: (_, response) => {
        response.writeHead(200, { 'content-length': '20' }).write('first', () => response.destroy());
      },
    });
    await expect(request('GET', `${PODS}/web/log`)).rejects.toThrow('aborted');
  });

  test("returns an error if the kubelet's error response is cut off", async () => {
    kubelet.on(LOG, {
      request: (_, response) => {
        response.writeHead(500, { 'content-length': '20' }).write('why', () => response.destroy());
      },
    });
    expect(textOf(await request('GET', `${PODS}/web/log`))).toBe('500 Internal error occurred: unexpected EOF');
  });
});

/** Responds with the number of bytes that it has read. */
async function counting(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) size += chunk.length;
  response.end(String(size));
}

describe('a body of 8 MiB', () => {
  const SIZE = 8 << 20;
  const PATH = '/api/v1/nodes/n1/proxy/upload';

  test('passes over HTTP/1.1', async () => {
    kubelet.on('/upload', { request: (...both) => void counting(...both) });
    expect(textOf(await request('POST', PATH, 'a'.repeat(SIZE - 2)))).toBe(`200 ${SIZE}`);
  });

  test('passes over HTTP/2', async () => {
    kubelet.on('/upload', { request: (...both) => void counting(...both) });
    const session = connect(server.url, { ca: server.certificateAuthority });
    const authorization = `Bearer ${server.adminToken}`;
    const stream = session.request({ ':method': 'POST', ':path': PATH, authorization });
    stream.end(Buffer.alloc(SIZE));
    expect(await text(stream)).toBe(String(SIZE));
    session.close();
  });
});

test('skips endpoints that name no pod of the namespace', async () => {
  const names = ['../kube-system/web', 'none', 'web'];
  const addresses = names.map((name, i) => ({
    ip: `192.0.2.${i + 1}`,
    targetRef: { kind: 'Pod', name, namespace: 'default' },
  }));
  const metadata = { name: 'hostile' };
  await made('/api/v1/namespaces/default/services', { metadata, spec: { ports: [{ port: 80 }] } });
  await made('/api/v1/namespaces/default/endpoints', { metadata, subsets: [{ addresses, ports: [{ port: 80 }] }] });
  expect(textOf(await request('GET', '/api/v1/namespaces/default/services/hostile:80/proxy/'))).toBe(
    '503 no endpoints available for service "hostile:80"',
  );
});

test("does not pass the client's identity to a backend", async () => {
  kubelet.on('/x', { request: (_, response) => response.end() });
  const identity = { 'x-remote-user': 'a', 'X-Remote-Group': 'b', 'x-remote-uid': 'c', 'x-remote-extra-d': 'e' };
  const impersonated = { 'impersonate-user': 'admin', 'impersonate-group': 'system:masters' };
  const asking = requester(server, { ...identity, ...impersonated, cookie: 'a=b' });
  expect((await asking('GET', '/api/v1/nodes/n1/proxy/x')).status).toBe(200);
  expect(Object.keys(kubelet.headers()).toSorted()).toEqual([
    'connection',
    'content-type',
    'cookie',
    'host',
    'x-forwarded-for',
    'x-forwarded-uri',
  ]);
});

test('a node that names the server gains nothing, whatever rights the server has at kubelets', async () => {
  await using own = await startApiserver({ controllers: false, kubelet: { isProxyable: () => true } });
  const ask = requester(own);
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'kube-apiserver-kubelet-client' }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
  const kubeletEndpoint = { Port: own.port };
  const status = { addresses: [{ type: 'InternalIP', address: '127.0.0.1' }], daemonEndpoints: { kubeletEndpoint } };
  const answers = [
    await ask('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'too-much' },
      roleRef,
      subjects,
    }),
    await ask('POST', '/api/v1/nodes', { metadata: { name: 'n' }, status }),
  ];
  expect(answers.map((one) => one.status)).toEqual([201, 201]);
  expect(textOf(await ask('GET', '/api/v1/nodes/n/proxy/api/v1/secrets'))).toBe(
    `503 error trying to reach service: dial tcp 127.0.0.1:${own.port}: this is the API server itself`,
  );
});
