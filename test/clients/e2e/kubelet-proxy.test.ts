import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, request as httpsRequest } from 'node:https';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAuthority } from '#local/certs.ts';
import { eventually } from '#test/support/eventually.ts';
import { WebSocketPeer } from '#test/support/kubelet/web-socket.ts';
import { type Listening, onLoopback } from '#test/support/loopback.ts';
import { describeStreams } from './kubectl/kubectl.ts';
import { type NodeCluster, useNode } from './kubelet.ts';

let plain: Listening;
let secure: Listening;
/** Headers of the last request that a backend received. */
let headers: IncomingMessage['headers'];
/** Requests that have not received a complete response. */
let open = 0;

function answer(request: IncomingMessage, response: ServerResponse): void {
  headers = request.headers;
  const { url = '', method } = request;
  if (url === '/page') response.setHeader('content-type', 'text/html').end('<a href="/x">x</a>');
  else if (url === '/packed')
    response
      .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
      .end(gzipSync('<a href="/x">x</a>'));
  else if (url === '/endless' || url === '/silent') {
    open++;
    response.once('close', () => open--);
    if (url === '/silent') return;
    response
      .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
      .write(gzipSync('<p>').subarray(0, 12));
  } else if (url === '/moved') response.writeHead(302, { location: '/page' }).end();
  else {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => response.end(`${method} ${url} ${body}`.trimEnd()));
  }
}

beforeAll(async () => {
  const authority = await newAuthority(new Date());
  const { certificate: cert, key } = await authority.issue({ name: 'web' }, ['127.0.0.1']);
  const server = createServer(answer).on('upgrade', (request, socket) => {
    headers = request.headers;
    const peer = new WebSocketPeer(request, socket, 'echo');
    void (async () => {
      peer.send(Buffer.from(request.url ?? ''));
      for await (const message of peer.messages()) peer.send(message);
      peer.close();
    })();
  });
  plain = await onLoopback(server);
  secure = await onLoopback(createTlsServer({ cert, key }, answer));
});
afterAll(async () => {
  await plain.close();
  await secure.close();
});

const use = () =>
  useNode(() => {
    const ports = [{ name: 'http', containerPort: plain.port }];
    return { web: { containers: [{ name: 'main', image: 'i', ports }] } };
  });
const HERE = '/api/v1/namespaces/default';

/** Creates the Service `web` and waits for its endpoints. */
async function serve({ request }: NodeCluster): Promise<void> {
  const ports = [
    { name: 'http', port: 80, targetPort: plain.port },
    { name: 'tls', port: 443, targetPort: secure.port },
  ];
  await request('POST', `${HERE}/services`, { metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports } });
  await eventually(async () =>
    expect(JSON.stringify((await request('GET', `${HERE}/endpoints/web`)).body)).toContain('"ip"'),
  );
}

describeStreams(use, 'proxy', (kubectl, cluster) => {
  const raw = (path: string) => kubectl().run(`get --raw ${path}`);
  beforeAll(() => serve(cluster()));

  test('nodes/proxy reaches the kubelet', async () => {
    cluster().kubelet.on('/healthz', { request: (_request, response) => response.end('ok') });
    expect(await raw('/api/v1/nodes/n1/proxy/healthz')).toBe('ok');
    expect(await raw(`/api/v1/nodes/n1:${cluster().kubelet.port}/proxy/healthz`)).toBe('ok');
  });

  test('pods/proxy reaches the pod at its first port or another, also over TLS', async () => {
    const of = (name: string) => raw(`${HERE}/pods/${name}/proxy/a%20b/?q=1&q=2`);
    for (const name of ['web', `web:${plain.port}`, `http:web:${plain.port}`, `https:web:${secure.port}`])
      expect(await of(name)).toBe('GET /a%20b/?q=1&q=2');
  });

  test('services/proxy reaches a pod of the Service by the port’s name or number, also over TLS', async () => {
    const of = (name: string) => raw(`${HERE}/services/${name}/proxy/a`);
    for (const name of ['web:http', 'web:80', 'http:web:80', 'https:web:tls', 'https:web:443'])
      expect(await of(name)).toBe('GET /a');
    expect(await kubectl().fails(`get --raw ${HERE}/services/web:none/proxy/a`)).toContain(
      'no endpoints available for service "web:none"',
    );
  });

  test('a body reaches the pod', async () => {
    expect(await kubectl().run(`create --raw ${HERE}/services/web:http/proxy/a -f -`, { input: 'given' })).toBe(
      'POST /a given',
    );
  });

  test('kubectl proxy shows a Service to a browser, its redirects, links and WebSockets', async () => {
    await using program = kubectl().start('proxy --port=0');
    await program.says(/127\.0\.0\.1:\d+/);
    const [host = ''] = /127\.0\.0\.1:\d+/.exec(program.stdout) ?? [];
    const base = `http://${host}${HERE}/services/web:http/proxy`;
    const prefix = `${HERE}/services/web:http/proxy`;
    const get = (path: string, more: RequestInit = {}) => fetch(`${base}${path}`, { redirect: 'manual', ...more });
    expect(await (await get('/page')).text()).toBe(`<a href="${prefix}/x">x</a>`);
    expect(await (await get('/packed')).text()).toBe(`<a href="${prefix}/x">x</a>`);
    const moved = await get('/moved');
    expect([moved.status, moved.headers.get('location')]).toEqual([302, `${prefix}/page`]);
    const root = await get('?q=1');
    expect([root.status, root.headers.get('location')]).toEqual([301, `${prefix}/?q=1`]);
    expect(await (await get('/x', { method: 'PUT', body: 'new' })).text()).toBe('PUT /x new');
    expect(headers).toMatchObject({ 'x-forwarded-uri': `${prefix}/x` });
    expect(headers).not.toHaveProperty('authorization');
    const socket = new WebSocket(`${base.replace('http', 'ws')}/ws?q=1`, 'echo');
    const said: string[] = [];
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('message', ({ data }) => {
      said.push(Buffer.from(data as ArrayBuffer).toString());
      if (said.length === 2) socket.close();
    });
    socket.addEventListener('open', () => socket.send(Buffer.from('hello')));
    await once(socket, 'close');
    expect(said.toSorted()).toEqual(['/ws?q=1', 'hello']);
    expect(headers).not.toHaveProperty('authorization');
  });
});

describe('a client that disconnects', () => {
  const cluster = use();
  const abandon = async (path: string, isThere: () => boolean): Promise<void> => {
    const { server } = cluster();
    const gone = new AbortController();
    const sent = httpsRequest(`${server.url}${path}`, {
      ca: server.certificateAuthority,
      headers: { authorization: `Bearer ${server.adminToken}` },
      signal: gone.signal,
    });
    sent.on('error', () => {}).end();
    await eventually(isThere);
    gone.abort();
    await eventually(() => !isThere());
  };

  test('ends an endless page in gzip', () => abandon(`${HERE}/pods/web/proxy/endless`, () => open === 1));

  test.each(['pods/web/log', 'pods/web/proxy/silent', '../../nodes/n1/proxy/silent'])(
    'ends %s without any response',
    async (path) => {
      const { kubelet } = cluster();
      for (const prefix of ['/containerLogs/', '/silent']) kubelet.on(prefix, { request: () => {} });
      const there = path.startsWith('pods/web/proxy') ? () => open === 1 : () => kubelet.connections() === 1;
      await abandon(new URL(`https://x${HERE}/${path}`).pathname, there);
    },
  );
});
