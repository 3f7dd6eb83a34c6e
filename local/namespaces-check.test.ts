import { expect, test } from 'vitest';
import { ApiConnection } from '#adapters/server/http/api-connection.ts';
import { namespacesCheck } from './namespaces-check.ts';
import { startApiserver } from './start-apiserver.ts';

test('fails on a server that has no namespaces yet', async () => {
  let haveBegun = false;
  const { check } = namespacesCheck(() => haveBegun);
  await expect(check()).rejects.toThrow('not finished');
  haveBegun = true;
  await expect(check()).resolves.toBeUndefined();
});

test.each(['healthz', 'livez', 'readyz'])('passes in /%s on a server that has started', async (endpoint) => {
  await using server = await startApiserver({ controllers: [] });
  const { url, certificateAuthority: caBundle, adminToken } = server;
  using api = new ApiConnection({ url, caBundle, credentials: { token: async () => adminToken } });
  const answer = await api.handle({
    method: 'GET',
    path: `/${endpoint}/poststarthook/start-system-namespaces-controller`,
    query: new URLSearchParams(),
    headers: {},
    body: async () => new Uint8Array(),
    signal: () => new AbortController().signal,
  });
  expect([answer.status, Buffer.from(answer.body as Uint8Array).toString()]).toEqual([200, 'ok']);
});
