import { expect, test } from 'vitest';
import type { Backends } from '#lib/channel/backends.ts';
import type { BackendRequest } from '#lib/channel/round-tripper.ts';
import type { ApiRequest, RequestInfo } from '../api.ts';
import { NO_INFO } from '../request-info.ts';
import { proxy, proxyName } from './proxy.ts';

const request: ApiRequest = {
  method: 'GET',
  path: '/api/v1/namespaces/here/pods/web/proxy/a',
  uri: '/api/v1/namespaces/here/pods/web/proxy/a?q=1',
  query: new URLSearchParams('q=1'),
  headers: {
    accept: 'x',
    host: 'cluster.example.com:6443',
    'sec-websocket-protocol': 'base64url.bearer.authorization.k8s.io.c2VjcmV0, v4.channel.k8s.io',
  },
  body: async () => new Uint8Array(),
  signal: new AbortController().signal,
};
const info: RequestInfo = { ...NO_INFO, namespace: 'here', rest: ['a'] };

/** The request that a pod at this place gets. */
async function sent(scheme: string, port: string, rest: readonly string[] = ['a']): Promise<BackendRequest> {
  const all: BackendRequest[] = [];
  async function* nothing(): AsyncGenerator<Uint8Array> {}
  const backends: Backends = {
    preferredAddressTypes: [],
    roundTripper: {
      async send(one) {
        all.push(one);
        return { status: 200, headers: {}, body: nothing() };
      },
    },
  };
  await proxy(backends, { request, info: { ...info, rest } }, { host: '10.0.0.1', port, scheme });
  return all[0] as BackendRequest;
}

test.each([
  ['', '', 80, 'none'],
  ['', '8080', 8080, 'none'],
  ['http', '8080', 8080, 'none'],
  ['https', '', 443, 'unverified'],
  ['https', '8443', 8443, 'unverified'],
])('scheme %j and port %j are port %i with TLS %s, never with the certificate for kubelets', async (...row) => {
  const [scheme, port, dialled, tls] = row;
  const { target, path, ...one } = await sent(scheme, port);
  expect({ target, path, tls: one.tls }).toEqual({
    target: { host: '10.0.0.1', port: dialled, globalOnly: true },
    path: '/a?q=1',
    tls,
  });
});

test('the host is the one that the client asked', async () => {
  expect((await sent('', '8080')).headers['host']).toBe('cluster.example.com:6443');
});

test.each<[string[], string]>([
  [['a b', 'c%2Fd'], '/a%20b/c%252Fd'],
  [['..', '..', 'run'], '/run'],
  [['a', '..', '', '.', 'b'], '/b'],
  [['a\\..\\b'], '/a%5C..%5Cb'],
  [['a\r\nx: y'], '/a%0D%0Ax:%20y'],
  [['a?b#c'], '/a%3Fb%23c'],
  [['a\0', 'é'], '/a%00/%C3%A9'],
  [["$&+,:;=@-_.~!'()*"], '/$&+,:;=@-_.~%21%27%28%29%2A'],
])('the path %j is sent as %s, as Go writes it', async (rest, path) => {
  expect((await sent('', '', rest)).path).toBe(`${path}?q=1`);
});

test('a token in the protocols of a WebSocket stays here', async () => {
  expect((await sent('', '')).headers['sec-websocket-protocol']).toEqual(['v4.channel.k8s.io']);
});

test.each(['http', '0', '65536', '-1', '0x50', '8e1', ' 80', '80.0'])('the port %j is none', async (port) => {
  await expect(sent('', port)).rejects.toThrow(`dial tcp: lookup tcp/${port}: unknown port`);
});

test.each(['a:b:c:d', 'ftp:web:80', ':80', ''])('%j names nothing', (id) => {
  expect(() => proxyName(id, 'pod')).toThrow(`invalid pod request "${id}"`);
});
