import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, describe, expect, test } from 'vitest';
import { lambdaInvoker } from './function-invoker.ts';

/** Lambda's response to an invocation of each function. Other functions never respond. */
const ANSWERS: Readonly<Record<string, { status: number; headers?: Record<string, string>; body: string }>> = {
  echo: { status: 200, body: '' },
  throws: { status: 200, headers: { 'x-amz-function-error': 'Unhandled' }, body: '{"errorMessage":"no such site"}' },
  dies: { status: 200, headers: { 'x-amz-function-error': 'Unhandled' }, body: 'null' },
  broken: { status: 200, headers: { 'x-amz-function-error': 'Unhandled' }, body: 'out of memory' },
  absent: {
    status: 404,
    headers: { 'x-amzn-errortype': 'ResourceNotFoundException' },
    body: '{"Message":"Function not found"}',
  },
};
const asked: string[] = [];
async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  const name = /functions\/(\w+)\/invocations/.exec(request.url ?? '')?.[1] ?? '';
  asked.push(`${name} ${String(request.headers['x-amz-invocation-type'] ?? 'RequestResponse')}`);
  const answer = ANSWERS[name];
  if (answer === undefined) return;
  response.writeHead(answer.status, answer.headers).end(name === 'echo' ? Buffer.concat(chunks) : answer.body);
}
const lambda = createServer((request, response) => void respond(request, response)).listen(0, '127.0.0.1');
await once(lambda, 'listening');
const client = new LambdaClient({
  endpoint: `http://127.0.0.1:${(lambda.address() as AddressInfo).port}`,
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  maxAttempts: 1,
});
afterAll(() => {
  client.destroy();
  lambda.closeAllConnections();
  lambda.close();
});

const invoke = async (name: string, timeout = 10_000): Promise<string> =>
  Buffer.from(await lambdaInvoker(client).invoke(name, Buffer.from('{"a":1}'), { timeout })).toString();

describe('FunctionInvoker for Lambda', () => {
  test('invokes the function with the review and returns its response', async () => {
    expect(await invoke('echo')).toBe('{"a":1}');
    expect(asked).toEqual(['echo RequestResponse']);
  });

  test.each([
    ['that throws', 'throws', 'no such site'],
    ['that exits without a message', 'dies', 'null'],
    ['that fails with text instead of JSON', 'broken', 'out of memory'],
    ['that does not exist', 'absent', 'Function not found'],
  ])('reports a function %s as a fault with its message', async (_, name, message) => {
    await expect(invoke(name)).rejects.toThrow(message);
  });

  test("times out with upstream's message if a function does not respond", async () => {
    await expect(invoke('never', 50)).rejects.toThrow('context deadline exceeded');
  });
});
