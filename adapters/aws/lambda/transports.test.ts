import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HttpServer } from '#adapters/server/http/server.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { functionUrlRequest } from './function-url.ts';
import { restRequest } from './rest.ts';
import { answered, functionUrlEvent, type Handle, type Received, restEvent, type Sent } from './testing.ts';

const LARGE = 8 * 1024 * 1024;

async function* large(): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < LARGE; sent += 64 * 1024) yield Buffer.alloc(64 * 1024, 'x');
}

const ANSWERS: Readonly<Record<string, () => ApiResponse>> = {
  '/text': () => ({ status: 201, headers: { 'content-type': 'text/plain' }, body: 'made\n' }),
  '/nothing': () => ({ status: 200, headers: {}, body: '' }),
  '/warned': () => ({ status: 200, headers: { warning: ['299 - "one"', '299 - "two"'] }, body: 'x' }),
  '/long': () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(200_000) }),
  '/large': () => ({ status: 200, headers: {}, body: large(), ends: true }),
};

/** Returns the prepared responses above. For any other path, returns the request that it received. */
const core: Handle = async (request) =>
  ANSWERS[request.path]?.() ?? { status: 200, headers: {}, body: JSON.stringify(await seen(request)) };

async function seen(request: ApiRequest): Promise<object> {
  const { method, path, query, headers } = request;
  const body = Buffer.from(await request.body()).toString('base64');
  const { accept, authorization, 'x-remote-group': groups, 'content-type': type } = headers;
  return { method, path, query: [...query], accept, authorization, groups, type, body };
}

let server: HttpServer;
beforeAll(async () => {
  const onFault = (error: unknown): void => console.error(error);
  server = await HttpServer.listen({ host: '127.0.0.1', port: 0, gzip: true, handle: core, onFault });
});
afterAll(() => server.close());

async function overSocket({ method = 'GET', target, headers = [], body }: Sent): Promise<Received> {
  const outgoing = httpRequest({ port: server.port, host: '127.0.0.1', method, path: target });
  const names = new Set(headers.map(([name]) => name));
  for (const name of names) {
    const values = headers.filter(([other]) => other === name).map(([, value]) => value);
    outgoing.setHeader(name, values.length === 1 ? (values[0] as string) : values);
  }
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers as Record<string, string>,
    body: Buffer.concat(parts),
  };
}

const vouched = (): undefined => undefined;
const TRANSPORTS: readonly [string, (sent: Sent) => Promise<Received>][] = [
  ['a socket', overSocket],
  [
    'a function URL',
    (sent) => answered({ toRequest: functionUrlRequest, handle: core, vouched }, functionUrlEvent(sent)),
  ],
  ['a REST API', (sent) => answered({ toRequest: restRequest, handle: core, vouched }, restEvent(sent))],
];

const BODY = Buffer.from('{"kind":"ConfigMap"}');
const BINARY = Buffer.from([0x6b, 0x38, 0x73, 0x00, 0xff, 0xfe]);
const NOTHING = { method: 'GET', query: [], body: '' };

describe.each(TRANSPORTS)('a request through %s', (_, send) => {
  test.each<[string, Sent, object]>([
    ['a path', { target: '/api/v1/namespaces' }, { ...NOTHING, path: '/api/v1/namespaces' }],
    [
      'a path with its percent-encoding',
      { target: '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode%2fx' },
      { ...NOTHING, path: '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode%2fx' },
    ],
    [
      'a query, decoded once',
      { target: '/api/v1/pods?labelSelector=a%3Db%2Cc+in+%28d%29&fieldSelector=x%253Dy&watch=1' },
      {
        ...NOTHING,
        path: '/api/v1/pods',
        query: [
          ['labelSelector', 'a=b,c in (d)'],
          ['fieldSelector', 'x%3Dy'],
          ['watch', '1'],
        ],
      },
    ],
    [
      'a repeated parameter and an empty one',
      { target: '/exec?command=ls&command=-l&stdin=' },
      {
        ...NOTHING,
        path: '/exec',
        query: [
          ['command', 'ls'],
          ['command', '-l'],
          ['stdin', ''],
        ],
      },
    ],
    [
      'headers of any case',
      {
        target: '/a',
        headers: [
          ['Accept', 'application/json'],
          ['Authorization', 'Bearer x'],
        ],
      },
      { ...NOTHING, path: '/a', accept: 'application/json', authorization: 'Bearer x' },
    ],
    [
      'a text body',
      { method: 'POST', target: '/a', headers: [['Content-Type', 'application/json']], body: BODY },
      { ...NOTHING, method: 'POST', path: '/a', type: 'application/json', body: BODY.toString('base64') },
    ],
    [
      'a binary body',
      { method: 'PUT', target: '/a', body: BINARY },
      { ...NOTHING, method: 'PUT', path: '/a', body: BINARY.toString('base64') },
    ],
  ])('passes %s to the core', async (_name, sent, want) => {
    const { status, body } = await send(sent);
    expect([status, JSON.parse(body.toString())]).toEqual([200, want]);
  });

  test('joins a repeated header', async () => {
    const { body } = await send({
      target: '/a',
      headers: [
        ['X-Remote-Group', 'ops'],
        ['X-Remote-Group', 'dev'],
      ],
    });
    const { groups } = JSON.parse(body.toString()) as { groups: string };
    expect(groups.split(/, ?/)).toEqual(['ops', 'dev']);
  });

  test('returns status, headers and text', async () => {
    const { status, headers, body } = await send({ target: '/text' });
    expect([status, headers['content-type'], body.toString()]).toEqual([201, 'text/plain', 'made\n']);
  });

  test('returns a response without a body', async () => {
    const { status, body } = await send({ target: '/nothing' });
    expect([status, body.length]).toEqual([200, 0]);
  });

  test('returns every warning', async () => {
    expect((await send({ target: '/warned' })).headers['warning']).toBe('299 - "one", 299 - "two"');
  });

  test('returns no body for HEAD', async () => {
    const { status, body } = await send({ method: 'HEAD', target: '/text' });
    expect([status, body.length]).toEqual([201, 0]);
  });

  test.each(['/long', '/large'])('compresses %s for clients that accept it', async (target) => {
    const headers = [['Accept-Encoding', 'gzip']] as const;
    const [plain, packed] = [await send({ target }), await send({ target, headers })];
    expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'gzip']);
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
  });

  test('streams a list beyond 6 MB', async () => {
    expect((await send({ target: '/large' })).body.length).toBe(LARGE);
  });
});
