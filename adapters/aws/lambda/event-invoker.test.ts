import { createServer, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Listening, onLoopback } from '#test/support/loopback.ts';
import { eventInvoker } from './event-invoker.ts';

const NEVER = new AbortController().signal;
const credentials = { accessKeyId: 'AKID', secretAccessKey: 'secret', sessionToken: 'tok' };

let listening: Listening;
let status = 202;
const asked: string[] = [];

beforeAll(async () => {
  const take = async (request: IncomingMessage): Promise<void> => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { authorization = '', 'x-amz-invocation-type': type = '' } = request.headers;
    const signed = /SignedHeaders=([^,]+)/.exec(authorization)?.[1];
    asked.push(`${request.method} ${request.url} ${String(type)} ${signed} ${body}`);
  };
  const server = createServer((request, response) => void take(request).then(() => response.writeHead(status).end()));
  listening = await onLoopback(server);
});
afterAll(() => listening.close());

const invoke = (body: string, signal = NEVER): Promise<void> => {
  const endpoint = `http://127.0.0.1:${listening.port}`;
  return eventInvoker({ name: 'Davit-Channel', region: 'eu-west-1', endpoint, credentials, now: Date.now })(
    body,
    signal,
  );
};

test('sends an event with one signed request', async () => {
  await invoke('{"a":1}');
  expect(asked).toEqual([
    'POST /2015-03-31/functions/Davit-Channel/invocations Event content-type;host;x-amz-date;x-amz-invocation-type;x-amz-security-token {"a":1}',
  ]);
});

test.each([403, 429, 500])('reports status %i as a fault', async (code) => {
  status = code;
  await expect(invoke('{}')).rejects.toThrow(`Lambda answers ${code}`);
});

test('sends no event after the deadline', async () => {
  await expect(invoke('{}', AbortSignal.abort(new Error('out of time')))).rejects.toThrow('Lambda does not answer');
});
