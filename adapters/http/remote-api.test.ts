import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import type { ApiRequest } from '#lib/endpoints/api.ts';
import { remoteApi } from './remote-api.ts';

const server = createServer(async (request, response) => {
  if (request.url === '/cut') return void request.destroy();
  if (request.url === '/never') return;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  const { method, url, headers } = request;
  const told = { method, url, authorization: headers.authorization, type: headers['content-type'] };
  response.writeHead(201, { 'audit-id': '7' });
  response.end(JSON.stringify({ ...told, body: Buffer.concat(chunks).toString() }));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const aRequest = (over: Partial<ApiRequest> = {}): ApiRequest => ({
  method: 'GET',
  path: '/api/v1/pods',
  query: new URLSearchParams(),
  headers: {},
  body: async () => new Uint8Array(),
  signal: new AbortController().signal,
  ...over,
});
let calls = 0;
const api = remoteApi({ url, token: async () => `t${++calls}` });

describe('an API elsewhere', () => {
  test('is asked by the same request, with a token of its time', async () => {
    const query = new URLSearchParams({ fieldManager: 'sites', force: 'true' });
    const headers = { 'content-type': 'application/json', accept: undefined, authorization: 'Bearer ' };
    const body = async () => Buffer.from('{}');
    const { status, headers: answered, body: text } = await api(aRequest({ method: 'PATCH', query, headers, body }));
    expect({ status, id: answered['audit-id'] }).toEqual({ status: 201, id: '7' });
    expect(JSON.parse(Buffer.from(text as Uint8Array).toString())).toEqual({
      method: 'PATCH',
      url: '/api/v1/pods?fieldManager=sites&force=true',
      authorization: 'Bearer t1',
      type: 'application/json',
      body: '{}',
    });
  });

  test('that cannot be reached is unavailable', async () => {
    await expect(api(aRequest({ path: '/cut' }))).rejects.toMatchObject({ code: 503, reason: 'ServiceUnavailable' });
  });

  test('is asked no longer than anybody waits', async () => {
    const ending = new AbortController();
    const asked = api(aRequest({ path: '/never', signal: ending.signal }));
    ending.abort(new Error('late'));
    await expect(asked).rejects.toThrow('late');
  });
});
