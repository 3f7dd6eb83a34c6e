import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { exchanged, whoIs } from './exchange.ts';

let server: RunningApiserver;
beforeAll(async () => {
  server = await startApiserver({ controllers: false, tokens: new Map([['bobs', { name: 'bob', groups: [] }]]) });
});
afterAll(() => server.close());

const headers = { authorization: 'Bearer bobs' };
const status = async (): Promise<number> => (await exchanged(server, '/api/v1/secrets', { headers })).status;

test('permissions end with their authorizer, also on open connections', async () => {
  expect(await status()).toBe(403);
  server.reconfigure({ authorizers: [{ type: 'AlwaysAllow' }] });
  expect(await status()).toBe(200);
  server.reconfigure({ authorizers: [{ type: 'RBAC' }] });
  expect(await status()).toBe(403);
});

test('new issuers do not affect other users', async () => {
  server.reconfigure({ issuers: [] });
  expect(await whoIs(server, { headers })).toBe('bob');
  expect(await whoIs(server, { headers: { authorization: 'Bearer guessed' } })).toBe('');
});
