import { expect, test } from 'vitest';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { type HealthCheck, healthRoutes } from './health.ts';
import { nonResourceRoutes } from './non-resource.ts';

const ok = async (): Promise<void> => {};
const broken = async (): Promise<void> => {
  throw new Error('the disk is gone');
};

async function asked(path: string, checks: readonly HealthCheck[]) {
  const url = new URL(path, 'https://server');
  const context = aRequestContext({ path: url.pathname, query: url.searchParams });
  const { status, body } = await nonResourceRoutes(healthRoutes(checks))(context);
  return { response: { status, body }, error: context.outcome.error };
}

const HEALTHY: readonly HealthCheck[] = [
  { name: 'ping', check: ok },
  { name: 'etcd', check: ok },
  { name: 'shutdown', readiness: true, check: ok },
];
const ENDING: readonly HealthCheck[] = [
  { name: 'ping', check: ok },
  { name: 'shutdown', readiness: true, check: broken },
];
const SICK: readonly HealthCheck[] = [
  { name: 'ping', check: ok },
  { name: 'etcd', check: broken },
];

test.each<[string, readonly HealthCheck[], number, string]>([
  ['/readyz', HEALTHY, 200, 'ok'],
  ['/livez?verbose', HEALTHY, 200, '[+]ping ok\n[+]etcd ok\nlivez check passed\n'],
  ['/readyz?verbose', HEALTHY, 200, '[+]ping ok\n[+]etcd ok\n[+]shutdown ok\nreadyz check passed\n'],
  ['/healthz?verbose=1', HEALTHY, 200, '[+]ping ok\n[+]etcd ok\nhealthz check passed\n'],
  ['/livez?verbose&exclude=etcd', HEALTHY, 200, '[+]ping ok\n[+]etcd excluded: ok\nlivez check passed\n'],
  [
    '/livez?verbose&exclude=b&exclude=a',
    HEALTHY,
    200,
    '[+]ping ok\n[+]etcd ok\nwarn: some health checks cannot be excluded: no matches for "a", "b"\nlivez check passed\n',
  ],
  ['/livez', ENDING, 200, 'ok'],
  ['/readyz', ENDING, 500, '[+]ping ok\n[-]shutdown failed: reason withheld\nreadyz check failed\n'],
  ['/readyz?exclude=shutdown', ENDING, 200, 'ok'],
  ['/livez', SICK, 500, '[+]ping ok\n[-]etcd failed: reason withheld\nlivez check failed\n'],
  ['/livez/ping', SICK, 200, 'ok'],
  ['/livez/etcd', SICK, 500, 'internal server error: the disk is gone\n'],
  ['/livez/shutdown', HEALTHY, 404, '404 page not found\n'],
  ['/readyz/nope', HEALTHY, 404, '404 page not found\n'],
])('responds to %s', async (path, checks, status, body) => {
  expect((await asked(path, checks)).response).toEqual({ status, body });
});

test.each(['/readyz', '/readyz/etcd'])('logs why %s failed, which the response may withhold', async (path) => {
  expect((await asked(path, SICK)).error).toBe('etcd: the disk is gone');
});
