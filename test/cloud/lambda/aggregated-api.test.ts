import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lambdaApiInvoker } from '#adapters/aws/lambda/api-invoker.ts';
import { systemClock } from '#adapters/clock.ts';
import { apiClient } from '#lib/client/api-client.ts';
import { annotatedApi } from '#lib/sdk/extension-apiserver/annotated-api.ts';
import { aggregatedApiRegistration } from '#lib/sdk/extension-apiserver/registration.ts';
import { installRuntimeClient } from '#test/support/lambda/install.ts';
import { inEnvironments, Refusal, startLambdaApi } from '#test/support/lambda/lambda-api.ts';
import { serverInProcess } from '#test/support/server-in-process.ts';
import { needing } from '#test/support/skip.ts';
import { bundleUsers } from '../../../infra/bundle/bundle.ts';

const FUNCTION = 'davit-quotes-1';
const QUOTES = '/apis/quotes.example.com/v1/namespaces/default/quotes';
const runtime = await installRuntimeClient();
const folder = mkdtempSync(join(tmpdir(), 'davit-aggregated-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The API server with a client for the Lambda API, which runs the fixture's bundle with the runtime's own program. */
async function start(program: string) {
  const { apis } = bundleUsers(join(import.meta.dirname, '../../support/fixtures/functions/quotes.ts'), folder);
  const [declaration] = apis;
  if (declaration === undefined) throw new Error('the file declares no API');
  const environments = inEnvironments({
    runtime: program,
    bundle: folder,
    timeout: 3000,
    env: { _HANDLER: 'index.streaming', DAVIT_FUNCTION: 'quotes' },
  });
  let isFull = false;
  const run = async (event: object) => {
    if (isFull) throw new Refusal(429, 'TooManyRequestsException');
    return environments.run(event);
  };
  const lambda = await startLambdaApi({ [FUNCTION]: run });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const sdk = new LambdaClient({ endpoint: lambda.url, region: 'us-east-1', credentials, maxAttempts: 1 });
  const { server, faults } = serverInProcess({ clock: systemClock, makeApi: annotatedApi(lambdaApiInvoker(sdk)) });
  const client = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'test' });
  const register = (functionName: string | undefined) =>
    aggregatedApiRegistration(client, {
      declarations: () => (functionName === undefined ? [] : [declaration]),
      functionName: () => functionName,
    }).reconcile('all');
  const send = async (method: string, target: string, body?: object, signal = new AbortController().signal) => {
    const [path = '', query = ''] = target.split('?');
    const type = method === 'PATCH' ? 'application/apply-patch+yaml' : 'application/json';
    const headers = { authorization: `Bearer ${server.loopbackToken}`, 'content-type': type };
    const given = Buffer.from(body === undefined ? '' : JSON.stringify(body));
    const request = {
      method,
      path,
      query: new URLSearchParams(query),
      headers,
      body: async () => given,
      signal: () => signal,
    };
    return server.handle(request);
  };
  return {
    faults,
    register,
    send,
    refuseAll: (refuse: boolean) => void (isFull = refuse),
    async close() {
      await server.close();
      sdk.destroy();
      await environments.stop();
      await lambda.close();
    },
  };
}

async function textOf(body: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<string> {
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body).toString();
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe('an aggregated API as a function of an account', needing(runtime), () => {
  let world: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    if ('missing' in runtime) throw new Error(runtime.missing);
    world = await start(runtime.path);
    await world.register(FUNCTION);
  });
  afterAll(async () => {
    await world?.close();
    expect(world?.faults.map(String)).toEqual([]);
  });
  const answer = async (method: string, target: string, body?: object) => {
    const { status, body: made } = await world.send(method, target, body);
    const text = await textOf(made);
    return { status, text };
  };
  const quote = (name: string, text: unknown) => ({
    apiVersion: 'quotes.example.com/v1',
    kind: 'Quote',
    metadata: { name, namespace: 'default' },
    spec: { text },
  });

  test('is found by its APIService, in discovery and OpenAPI', async () => {
    expect((await answer('GET', '/apis/quotes.example.com/v1')).text).toContain('"quotes/asker"');
    expect((await answer('GET', '/apis')).text).toContain('quotes.example.com');
    expect((await answer('GET', '/openapi/v3/apis/quotes.example.com/v1')).text).toContain(
      'com.example.quotes.v1.Quote',
    );
  });

  test('serves requests, and rejects those that violate its schema', async () => {
    expect(JSON.parse((await answer('GET', QUOTES)).text)).toMatchObject({
      kind: 'QuoteList',
      items: [{ metadata: { name: 'plain' } }, { metadata: { name: 'short' } }],
    });
    expect(await answer('POST', QUOTES, quote('own', 'Mine.'))).toMatchObject({ status: 201 });
    expect((await answer('GET', `${QUOTES}/own`)).text).toContain('Mine.');
    const refused = await answer('POST', QUOTES, quote('wrong', 7));
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('spec.text')]);
    expect(await answer('GET', `${QUOTES}/none`)).toMatchObject({ status: 404 });
    expect((await answer('GET', `${QUOTES}/plain/asker`)).text).toBe('system:apiserver');
  });

  test('applies configurations, and reports conflicts', async () => {
    const apply = (manager: string, text: string) =>
      answer('PATCH', `${QUOTES}/applied?fieldManager=${manager}`, quote('applied', text));
    expect(await apply('ann', 'A.')).toMatchObject({ status: 201, text: expect.stringContaining('managedFields') });
    expect(await apply('bob', 'B.')).toMatchObject({
      status: 409,
      text: expect.stringContaining('Apply failed with 1 conflict'),
    });
  });

  test('streams a watch while the function writes it, until the function ends', async () => {
    const { status, body } = await world.send('GET', `${QUOTES}?watch=true&resourceVersion=2`);
    const began = performance.now();
    const times: number[] = [];
    for await (const part of body as AsyncIterable<Uint8Array>)
      for (const line of Buffer.from(part).toString().split('\n').filter(Boolean)) {
        times.push(performance.now() - began);
        expect(JSON.parse(line)).toMatchObject({ type: 'MODIFIED', object: { metadata: { name: 'plain' } } });
      }
    expect(status).toBe(200);
    expect(times.length).toBeGreaterThan(3);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(500); // one after the other, not all at the end
  });

  test('lets a client stop reading before the end', async () => {
    const ending = new AbortController();
    const { body } = await world.send('GET', `${QUOTES}?watch=true&resourceVersion=2`, undefined, ending.signal);
    const parts = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    expect((await parts.next()).done).toBe(false);
    await parts.return?.();
    ending.abort();
  });

  test('aborts its response if it fails midway', async () => {
    const { body } = await world.send('GET', `${QUOTES}/plain/failing`);
    await expect(textOf(body)).rejects.toThrow(`the function ${FUNCTION} failed: Unhandled`);
  });

  test('returns 503 with a retry time if it has no capacity, and also if it does not exist', async () => {
    world.refuseAll(true);
    expect(await world.send('GET', QUOTES)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    world.refuseAll(false);
    await world.register('davit-none');
    const { status, text } = await answer('GET', QUOTES);
    expect([status, text]).toEqual([503, expect.stringContaining('the function davit-none cannot be invoked')]);
    await world.register(undefined);
    expect(await answer('GET', QUOTES)).toMatchObject({ status: 404 });
  });
});
