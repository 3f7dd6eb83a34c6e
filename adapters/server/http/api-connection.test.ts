import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { afterAll, describe, expect, test } from 'vitest';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { newAuthority } from '#local/certs.ts';
import { onLoopback } from '#test/support/loopback.ts';
import { ApiConnection } from './api-connection.ts';

const authority = await newAuthority(new Date());
const { certificate: cert, key } = await authority.issue({ name: 'api' }, ['127.0.0.1']);
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === '/cut' || request.url === '//') return void request.destroy();
  if (request.url === '/never') return;
  if (request.url === '/upgrade') {
    request.socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  const { method, url, headers } = request;
  const told = { method, url, authorization: headers.authorization, type: headers['content-type'] };
  response.writeHead(headers.authorization === 'Bearer old' ? 401 : 201);
  response.end(JSON.stringify({ ...told, body: Buffer.concat(chunks).toString() }));
}
const server = createServer({ cert, key }, (request, response) => void answer(request, response));
const { port, close } = await onLoopback(server);
afterAll(close);

const url = `https://127.0.0.1:${port}`;
const aRequest = (over: Partial<ApiRequest> = {}): ApiRequest => ({
  method: 'GET',
  path: '/api/v1/pods',
  query: new URLSearchParams(),
  headers: {},
  body: async () => new Uint8Array(),
  signal: () => new AbortController().signal,
  ...over,
});
const connected = (token: (refused?: string) => Promise<string>, caBundle = authority.certificate) =>
  new ApiConnection({ url, caBundle, credentials: { token } });

describe('ApiConnection to a remote server', () => {
  test('sends the same request with the current token', async () => {
    let calls = 0;
    using api = connected(async () => `t${++calls}`);
    const query = new URLSearchParams({ fieldManager: 'sites', force: 'true' });
    const headers = { 'content-type': 'application/json' };
    await api.handle(aRequest());
    const { status, body } = await api.handle(
      aRequest({ method: 'PATCH', query, headers, body: async () => Buffer.from('{}') }),
    );
    expect(status).toBe(201);
    expect(JSON.parse(Buffer.from(body as Uint8Array).toString())).toEqual({
      method: 'PATCH',
      url: '/api/v1/pods?fieldManager=sites&force=true',
      authorization: 'Bearer t2',
      type: 'application/json',
      body: '{}',
    });
  });

  test('trusts a server whose own certificate is in the bundle without a CA', async () => {
    using api = connected(async () => 't', cert);
    expect(await api.handle(aRequest())).toMatchObject({ status: 201 });
  });

  test('repeats a rejected request once with a fresh token', async () => {
    using api = connected(async (refused) => (refused === undefined ? 'old' : 'new'));
    expect(await api.handle(aRequest())).toMatchObject({ status: 201 });
  });

  test.each(['/cut', '//', '/upgrade'])('returns ServiceUnavailable if the connection fails for %s', async (path) => {
    using api = connected(async () => 't');
    const asked = api.handle(aRequest({ path }));
    await expect(asked).rejects.toMatchObject({ code: 503, reason: 'ServiceUnavailable' });
  });

  test('sends nothing to a server with an untrusted certificate', async () => {
    using api = connected(async () => 't', '');
    await expect(api.handle(aRequest())).rejects.toMatchObject({ code: 503 });
  });

  test('ends requests whose caller no longer waits', async () => {
    using api = connected(async () => 't');
    const ending = new AbortController();
    const asked = api.handle(aRequest({ path: '/never', signal: () => ending.signal }));
    ending.abort(new Error('late'));
    await expect(asked).rejects.toMatchObject({ code: 503 });
  });
});
