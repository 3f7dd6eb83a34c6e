import { expect, test } from 'vitest';
import { StatusError } from '#lib/machinery/errors.ts';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { discoveryRoutes } from './discovery/routes.ts';
import { healthRoutes } from './health.ts';
import { indexRoutes } from './index-route.ts';
import { nonResourceRoutes } from './non-resource.ts';
import { versionRoute } from './version.ts';

const versions = async () => [
  { group: '', version: 'v1', resources: [] },
  { group: 'apps', version: 'v1', resources: [] },
  { group: 'example.com', version: 'v1', resources: [] },
];
const health = healthRoutes([{ name: 'ping', check: async () => {} }]);
const routes = [...health, versionRoute, ...discoveryRoutes({ own: versions, versions, serverAddress: 'here' })];
const serve = nonResourceRoutes([...routes, ...indexRoutes(routes, versions)]);

async function answer(method: string, path: string): Promise<{ status: number; body: string }> {
  return serve(aRequestContext({ method, path })).then(
    ({ status, body }) => ({ status, body: String(body) }),
    (error: unknown) => {
      if (!(error instanceof StatusError)) throw error;
      return { status: error.code, body: error.message };
    },
  );
}

test.each([
  ['HEAD', '/healthz', 200],
  ['POST', '/readyz/ping', 200],
  ['GET', '/healthz/', 404],
  ['GET', '/version/', 200],
  ['POST', '/version', 405],
  ['HEAD', '/version', 405],
  ['OPTIONS', '/apis', 200],
  ['OPTIONS', '/apis/', 200],
  ['POST', '/api', 405],
  ['POST', '/api/v1', 405],
  ['POST', '/api/v9', 404],
  ['PUT', '/apis/apps', 200],
  ['PUT', '/apis/apps/v1', 405],
  ['PUT', '/apis/apps/v9', 404],
  ['PUT', '/apis/example.com/v1', 200],
  ['PUT', '/apis/none', 404],
  ['HEAD', '/', 200],
])('responds to %s %s with %i', async (method, path, status) => {
  expect(await answer(method, path)).toMatchObject({ status });
});

test('lists the served paths at the root', async () => {
  const { body } = await answer('GET', '/');
  const paths = [
    '/api',
    '/api/v1',
    '/apis',
    '/apis/apps',
    '/apis/apps/v1',
    '/apis/example.com',
    '/apis/example.com/v1',
  ];
  const healthy = ['/healthz', '/healthz/ping', '/livez', '/livez/ping', '/readyz', '/readyz/ping'];
  expect(JSON.parse(body)).toEqual({ paths: [...paths, ...healthy, '/version'] });
});
