import { once } from 'node:events';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StatusError } from '#lib/machinery/errors.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { newIdentity } from '#local/data-directory.ts';
import { HttpServer } from './server.ts';

let server: HttpServer;
let session: ClientHttp2Session;
const faults: unknown[] = [];
let refused = Promise.withResolvers<StatusError>();

const ANSWERS: Readonly<Record<string, (request: ApiRequest) => Promise<ApiResponse>>> = {
  '/echo': async (request) => ({ status: 200, headers: {}, body: await request.body() }),
  '/unread': async () => ({ status: 401, headers: {}, body: 'who?' }),
  '/same': async () => ({ status: 304, headers: { etag: 'x' }, body: '' }),
  '/several': async () => ({ status: 200, headers: { Warning: ['a', 'b'] }, body: '' }),
};

async function handle(request: ApiRequest): Promise<ApiResponse> {
  const answer = ANSWERS[request.path];
  if (answer === undefined) throw new Error(`no ${request.path}`);
  return answer(request).catch((error: unknown) => {
    if (!(error instanceof StatusError)) throw error;
    refused.resolve(error);
    return { status: error.code, headers: {}, body: error.message };
  });
}

beforeAll(async () => {
  const { server: own, authority } = await newIdentity('token', new Date(0));
  const tls = { certificate: own.certificate, key: own.key, clientCa: authority };
  const onFault = (error: unknown): void => void faults.push(error);
  server = await HttpServer.listen({ host: '127.0.0.1', port: 0, tls, gzip: true, handle, onFault });
  session = connect(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false });
});

afterAll(async () => {
  session.destroy();
  await server.close();
});

async function answerTo(headers: Record<string, string>, body?: string | Buffer) {
  const stream = session.request(headers, { endStream: body === undefined });
  const answered = once(stream, 'response') as Promise<[IncomingHttpHeaders & { ':status'?: number }]>;
  if (body !== undefined) stream.end(body);
  const [head] = await answered;
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return { status: head[':status'], head, body: Buffer.concat(parts).toString() };
}

const post = (path: string) => ({ ':path': path, ':method': 'POST' });

test.each<[string, Record<string, string>, string | undefined, number, string]>([
  ['a body', post('/echo'), 'a'.repeat(100_000), 200, 'a'.repeat(100_000)],
  ['an empty body', post('/echo'), '', 200, ''],
  ['a HEAD', { ':path': '/unread', ':method': 'HEAD' }, undefined, 401, ''],
  ['an unchanged resource', { ':path': '/same' }, undefined, 304, ''],
  ['an unread body', post('/unread'), 'a'.repeat(10_000), 401, 'who?'],
  ['CONNECT', { ':method': 'CONNECT', ':authority': 'x' }, undefined, 405, ''],
  ['an unsupported expectation', { ...post('/echo'), expect: 'miracles' }, 'a', 417, ''],
])('serves a request with %s', async (_, headers, sent, status, body) => {
  expect(await answerTo(headers, sent)).toMatchObject({ status, body });
});

test('returns several headers for a header with several values', async () => {
  const { head } = await answerTo({ ':path': '/several' });
  expect(head['warning']).toBe('a, b');
});

test('responds to Expect: 100-continue', async () => {
  const stream = session.request({ ...post('/echo'), expect: '100-continue' });
  await once(stream, 'continue');
  stream.end('sent now');
  expect(Buffer.concat(await stream.toArray()).toString()).toBe('sent now');
});

test.each<[string, Record<string, string>]>([
  ['declared', { 'content-length': String(3 * 1024 * 1024 + 1) }],
  ['sent', {}],
])('rejects a %s body above 3 MiB', async (_, headers) => {
  const stream = session.request({ ...post('/echo'), ...headers }).on('error', () => undefined);
  if (headers['content-length'] === undefined) stream.end(Buffer.alloc(3 * 1024 * 1024 + 1));
  const [head] = (await once(stream, 'response')) as [{ ':status'?: number }];
  expect(head[':status']).toBe(413);
  stream.close();
});

test('does not report an incomplete body as a fault or treat it as complete', async () => {
  refused = Promise.withResolvers();
  const stream = session.request(post('/echo')).on('error', () => undefined);
  stream.write('half');
  await new Promise((resolve) => session.ping(resolve));
  stream.destroy(new Error('lost interest'));
  const { message } = await refused.promise;
  expect([message, faults]).toEqual(['unexpected EOF', []]);
});
