import { createServer, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Posts } from '#lib/server/channel/gateway/posts.ts';
import { type Listening, onLoopback } from '#test/support/loopback.ts';
import { gatewayPosts } from './posts.ts';

const credentials = { accessKeyId: 'AKID', secretAccessKey: 'secret', sessionToken: 'tok' };
const now = (): number => Date.UTC(2026, 10, 23, 20);

let listening: Listening;
let posts: Posts;
let status: number;
const asked: string[] = [];

beforeAll(async () => {
  const take = async (request: IncomingMessage): Promise<void> => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    asked.push(`${request.method} ${request.url} ${body}`.trim());
  };
  const server = createServer((request, response) => void take(request).then(() => response.writeHead(status).end()));
  listening = await onLoopback(server);
  const endpoint = `http://127.0.0.1:${listening.port}/nodes`;
  posts = gatewayPosts({ endpoint, region: 'eu-west-1', credentials, now });
});
afterAll(() => listening.close());
beforeEach(() => asked.splice(0));

test("sends the connection's id with a post", async () => {
  status = 200;
  expect(await posts.post('a/b=', 'grüße')).toBe(true);
  await posts.close('a/b=');
  expect(asked).toEqual(['POST /nodes/@connections/a%2Fb%3D grüße', 'DELETE /nodes/@connections/a%2Fb%3D']);
});

test('does not report a closed connection as a fault', async () => {
  status = 410;
  expect(await posts.post('a', 'x')).toBe(false);
  await posts.close('a');
});

test.each([403, 429, 500])('reports status %i as a fault', async (code) => {
  status = code;
  await expect(posts.post('a', 'x')).rejects.toThrow(`the gateway answers ${code}`);
  await expect(posts.close('a')).rejects.toThrow(`the gateway answers ${code}`);
});
