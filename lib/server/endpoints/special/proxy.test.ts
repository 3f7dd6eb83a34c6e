import { describe, expect, test } from 'vitest';
import type { Backends } from '#lib/server/channel/backends.ts';
import type { BackendRequest } from '#lib/server/channel/round-tripper.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { requestInfo } from '#lib/server/request/request-info.ts';
import type { ApiResponse } from '../api.ts';
import { proxy, proxyName } from './proxy.ts';

const PREFIX = '/api/v1/namespaces/here/pods/web/proxy';

interface ProxyCase {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: ApiRequest['headers'];
  readonly rawHeaders?: readonly string[];
  readonly upgrade?: string;
}

/** Sends a request through the proxy. Returns the client's response and all requests that the pod received. */
async function asking(
  asked: ProxyCase,
  { scheme = '', port = '' } = {},
): Promise<{ answer: ApiResponse; all: BackendRequest[] }> {
  const { path = `${PREFIX}/a?q=1`, method = 'GET', headers = {} } = asked;
  const [before = '', query = ''] = path.split('?');
  const request: ApiRequest = {
    ...asked,
    method,
    path: before,
    uri: path,
    query: new URLSearchParams(query),
    headers,
    connection: { remoteAddress: '192.0.2.1' },
    body: async () => Buffer.from('body'),
    signal: () => new AbortController().signal,
  };
  const info = requestInfo(method, before, request.query);
  if (info === undefined) throw new Error(`${before} is no path`);
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
  return { answer: await proxy(backends, { request, info }, { host: '10.0.0.1', port, scheme }), all };
}

async function sent(asked: ProxyCase, place?: { scheme?: string; port?: string }): Promise<BackendRequest> {
  const [request] = (await asking(asked, place)).all;
  if (request === undefined) throw new Error('nothing was sent');
  return request;
}

test.each([
  ['', '', 80, 'none'],
  ['', '8080', 8080, 'none'],
  ['http', '8080', 8080, 'none'],
  ['https', '', 443, 'unverified'],
  ['https', '8443', 8443, 'unverified'],
])('maps scheme %j and port %j to port %i with TLS %s, never with the certificate for kubelets', async (...row) => {
  const [scheme, port, dialled, tls] = row;
  const { target, path, ...one } = await sent({}, { scheme, port });
  expect({ target, path, tls: one.tls }).toEqual({
    target: { host: '10.0.0.1', port: dialled, globalOnly: true },
    path: '/a?q=1',
    tls,
  });
});

test.each([
  ['/a/b', '/a/b', `${PREFIX}/a/b`],
  ['/a/b/', '/a/b/', `${PREFIX}/a/b/`],
  ['/', '/', `${PREFIX}/`],
  // If a path is not clean, upstream treats all of it as the prefix of the backend's path.
  ['/a//./b/../c', '/a/c', `${PREFIX}/a/c/a/c`],
  ['/b/../', '/', `${PREFIX}/`],
  ['/a%20b:c@d', '/a%20b:c@d', `${PREFIX}/a%20b:c@d`],
  ['/a%2Fb', '/a/b', `${PREFIX}/a/b`],
  ['/a%3Fb?c=%20&d', '/a%3Fb?c=%20&d', `${PREFIX}/a%3Fb`],
  [`/(!'*)`, '/%28%21%27%2A%29', `${PREFIX}/%28%21%27%2A%29`],
  ['/$&+,:;=@-_.~', '/$&+,:;=@-_.~', `${PREFIX}/$&+,:;=@-_.~`],
  ['/a%5C..%5Cb', '/a%5C..%5Cb', `${PREFIX}/a%5C..%5Cb`],
  ['/a%0D%0Ax:%20y', '/a%0D%0Ax:%20y', `${PREFIX}/a%0D%0Ax:%20y`],
  ['/a%00/%C3%A9', '/a%00/%C3%A9', `${PREFIX}/a%00/%C3%A9`],
])('cleans %s after proxy to %s, and sends the backend %s', async (behind, path, uri) => {
  const request = await sent({ path: `${PREFIX}${behind}` });
  expect([request.path, request.headers['x-forwarded-uri']]).toEqual([path, uri]);
});

test.each(['GET', 'HEAD'])('redirects a %s without a slash after proxy', async (method) => {
  const { answer, all } = await asking({ path: `${PREFIX}?q=1`, method });
  expect([answer.status, answer.headers, all]).toEqual([301, { location: `${PREFIX}/?q=1` }, []]);
});

test('sends other methods and switches of protocols to the root if the slash after proxy is missing', async () => {
  expect((await sent({ path: PREFIX, method: 'POST' })).path).toBe('/');
  await expect(sent({ path: PREFIX, upgrade: 'websocket' })).rejects.toThrow(
    'invalid upgrade response: status code 200',
  );
});

describe('headers of a forwarded request', () => {
  const rawHeaders = [
    ['Host', 'cluster.example.com:6443'],
    ['Accept', 'x'],
    ['X-Mine', '1'],
    ['X-Mine', '2'],
    ['X-Forwarded-For', '198.51.100.7'],
    ['Connection', 'close, X-Hop'],
    ['X-Hop', '1'],
    ['TE', 'trailers'],
    ['Transfer-Encoding', 'chunked'],
    ['Proxy-Authorization', 'Basic x'],
    ['Sec-WebSocket-Protocol', 'base64url.bearer.authorization.k8s.io.c2VjcmV0, v4.channel.k8s.io'],
  ].flat();
  const headers = { host: 'cluster.example.com:6443' };

  test("are the client's, without hop-by-hop headers and without its token", async () => {
    expect((await sent({ method: 'POST', headers, rawHeaders })).headers).toEqual({
      host: 'cluster.example.com:6443',
      accept: ['x'],
      'x-mine': ['1', '2'],
      'x-forwarded-for': '198.51.100.7, 192.0.2.1',
      'x-forwarded-uri': `${PREFIX}/a`,
      'sec-websocket-protocol': ['v4.channel.k8s.io'],
      connection: 'close',
    });
  });

  test("contain the host of the client's request, even over HTTP/2, or else the backend's", async () => {
    expect((await sent({ headers: { ':authority': 'cluster.example.com' } })).headers['host']).toBe(
      'cluster.example.com',
    );
    expect((await sent({}, { port: '8080' })).headers['host']).toBe('10.0.0.1:8080');
  });
});

test.each(['http', '0', '65536', '-1', '0x50', '8e1', ' 80', '80.0'])('rejects the port %j', async (port) => {
  await expect(sent({}, { port })).rejects.toThrow(`dial tcp: lookup tcp/${port}: unknown port`);
});

test.each(['a:b:c:d', 'ftp:web:80', ':80', ''])('rejects the name %j', (id) => {
  expect(() => proxyName(id, 'pod')).toThrow(`invalid pod request "${id}"`);
});
