import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { exchanged } from './exchange.ts';

let server: RunningApiserver;
beforeAll(async () => {
  server = await startApiserver();
});
afterAll(() => server.close());

describe('a server with default flags responds to anonymous users', () => {
  test.each<[string, number]>([
    ['/livez', 200],
    ['/readyz', 200],
    ['/healthz', 200],
    ['/version', 200],
    ['/api', 403],
    ['/apis', 403],
    ['/openapi/v3', 403],
    ['/metrics', 403],
    ['/api/v1/namespaces', 403],
  ])('at %s: %i', async (path, status) => {
    expect((await exchanged(server, path)).status).toBe(status);
  });

  test('with its version', async () => {
    expect(JSON.parse((await exchanged(server, '/version')).body)).toMatchObject({ major: '1', minor: '36' });
  });
});
