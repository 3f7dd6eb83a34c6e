import { deflateRawSync, gunzipSync, gzipSync, inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { rewritten } from './proxy-transport.ts';

const page = { prefix: '/api/v1/pods/web/proxy', backend: '10.0.0.1:8080', asked: 'cluster.example.com' };
const HTML = '<a href="/x">x</a>';
const SEEN = '<a href="/api/v1/pods/web/proxy/x">x</a>';

interface Answer {
  readonly status?: number;
  readonly headers: Record<string, string | string[]>;
  readonly body?: Uint8Array | string;
}

async function seen({ status = 200, headers, body = '' }: Answer, method = 'GET') {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(body);
  }
  const answer = await rewritten({ status, headers, body: bytes() }, { method }, page);
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return { ...answer, body: Buffer.concat(chunks) };
}

test.each([
  ['plain', {}, HTML, (body: Buffer) => body],
  ['gzip', { 'content-encoding': 'gzip' }, gzipSync(HTML), gunzipSync],
  ['deflate', { 'content-encoding': 'deflate' }, deflateRawSync(HTML), inflateRawSync],
])('rewrites a page, %s, and drops its Content-Length', async (_, encoding, body, decode) => {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-length': '5', etag: 'e', ...encoding };
  const answer = await seen({ headers, body });
  expect(answer.headers).toEqual({ 'content-type': 'text/html; charset=utf-8', etag: 'e', ...encoding });
  expect(String(decode(answer.body))).toBe(SEEN);
});

test.each([
  ['another type', { 'content-type': 'text/plain' }],
  ['no type', {}],
  ['an encoding that is not known', { 'content-type': 'text/html', 'content-encoding': 'br' }],
  ['a redirect', { 'content-type': 'text/html', location: 'x' }],
])('does not change the body: %s', async (_, headers) => {
  const answer = await seen({ headers: { 'content-length': '18', ...headers }, body: HTML });
  expect(answer.headers).toEqual({ 'content-length': '18', ...headers });
  expect(String(answer.body)).toBe(HTML);
});

test('keeps the Content-Length of a response without a body', async () => {
  const headers = { 'content-type': 'text/html', 'content-encoding': 'gzip', 'content-length': '18' };
  expect((await seen({ headers }, 'HEAD')).headers).toEqual(headers);
});

test('rewrites a redirect to point to the proxy', async () => {
  const answer = await seen({ status: 302, headers: { location: ['http://10.0.0.1:8080/login?to=/'] } });
  expect([answer.status, answer.headers]).toEqual([302, { location: '/api/v1/pods/web/proxy/login?to=/' }]);
});

test('rejects a redirect to an invalid URL', async () => {
  await expect(seen({ status: 302, headers: { location: 'http://[' } })).rejects.toThrow(
    `Internal error occurred: error trying to parse Location header: parse "http://[": missing ']' in host`,
  );
});

test('aborts a page that does not match its content encoding', async () => {
  const headers = { 'content-type': 'text/html', 'content-encoding': 'gzip' };
  const fault = { name: 'TransportError', message: 'incorrect header check' }; // the backend's fault, not the server's
  await expect(seen({ headers, body: HTML })).rejects.toMatchObject(fault);
});

test('removes hop-by-hop headers', async () => {
  const headers = {
    connection: 'close, X-Mine',
    'x-mine': '1',
    'keep-alive': '1',
    'access-control-allow-origin': '*',
    a: 'b',
  };
  expect((await seen({ headers })).headers).toEqual({ a: 'b' });
});
