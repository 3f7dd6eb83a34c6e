import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { type EdgeHosts, edgeCode } from './edge-routing.ts';

interface EdgeRequest {
  readonly method: string;
  readonly uri: string;
  readonly querystring: Readonly<Record<string, { readonly value: string }>>;
}

/** Runs the code with a `cf` object that records its calls. */
function routed(hosts: EdgeHosts, target: string, method = 'GET') {
  const { pathname: uri, searchParams } = new URL(target, 'https://api.example.com');
  const querystring = Object.fromEntries([...searchParams].map(([name, value]) => [name, { value }]));
  const origins: unknown[] = [];
  const cf = { updateRequestOrigin: (origin: unknown) => origins.push(origin) };
  const request: EdgeRequest = { method, uri, querystring };
  const code = edgeCode(hosts).replace("import cf from 'cloudfront';\n", '');
  const answer: unknown = runInNewContext(`${code}\nhandler({ request })`, { cf, request });
  expect(answer).toBe(request);
  return origins;
}

const API = 'api.lambda-url.eu-west-1.on.aws';
const WATCHES = 'watches.lambda-url.eu-west-1.on.aws';
const HOSTS = { host: API, watchHost: WATCHES };
const to = (host: string) => [{ domainName: host, hostHeader: host }];

describe('the function at the edge', () => {
  test.each([
    '/api/v1/pods?watch=true&resourceVersion=7',
    '/api/v1/pods?watch=1',
    '/api/v1/pods?resourceVersion=7&watch=',
    '/apis/apps/v1/watch/deployments',
  ])('sends %s to the origin of watches', (target) => {
    expect(routed(HOSTS, target)).toEqual(to(WATCHES));
  });

  test.each(['/api/v1/pods', '/api/v1/pods?watch=false', '/api/v1/pods?watch=0', '/api/v1/namespaces/watch'])(
    'sends %s to the origin of other requests',
    (target) => {
      expect(routed(HOSTS, target)).toEqual(to(API));
    },
  );

  test('sends only GET requests to the origin of watches', () => {
    expect(routed(HOSTS, '/api/v1/pods?watch=true', 'DELETE')).toEqual(to(API));
  });

  test('sets only the host if there is no origin for watches', () => {
    expect(routed({ host: API }, '/api/v1/pods?watch=true')).toEqual(to(API));
  });
});
