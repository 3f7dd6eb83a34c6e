import { beforeEach, describe, expect, test } from 'vitest';
import { serviceUnavailable, unclassified } from '#lib/machinery/errors.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import type { ClientCertificate } from '#lib/server/authentication/authenticator.ts';
import { readKubeletConfiguration } from '../apis/config/configuration.ts';
import { StepClock } from '../testing/step-clock.ts';
import { requestAttributes } from './auth.ts';
import { buildAuth } from './build-auth.ts';
import type { NodeRequest } from './node-request.ts';

/** Permissions by user: `verb subresource`. */
const RIGHTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['system:serviceaccount:monitoring:prometheus', ['get metrics', 'get stats']],
  ['narrow', ['get pods', 'get healthz', 'get configz']],
  ['wide', ['get proxy', 'create proxy']],
]);
const TOKENS: ReadonlyMap<string, JsonObject> = new Map([
  ['monitoring', { username: 'system:serviceaccount:monitoring:prometheus', groups: ['system:serviceaccounts'] }],
]);

let clock: StepClock;
let faults: string[];
let reviews: JsonObject[];
let failure: Error | undefined;

beforeEach(() => {
  clock = new StepClock();
  faults = [];
  reviews = [];
  failure = undefined;
});

interface AccessReview {
  readonly user: string;
  readonly groups: readonly string[];
  readonly resourceAttributes: Readonly<Record<string, string>>;
}
const isAccess = (spec: object): spec is AccessReview => 'resourceAttributes' in spec;

/** An API server that responds to reviews. */
const client = {
  async create({ resource }: GroupVersionResource, object: JsonObject): Promise<JsonObject> {
    reviews.push(object);
    if (failure !== undefined) throw failure;
    const spec = objectAt(object, 'spec') ?? {};
    if (resource === 'tokenreviews') {
      const user = TOKENS.get(String(spec['token']));
      return { ...object, status: user === undefined ? { user: {} } : { authenticated: true, user } };
    }
    if (!isAccess(spec)) throw new Error('no review of access');
    const { verb, subresource } = spec.resourceAttributes;
    return { ...object, status: { allowed: RIGHTS.get(spec.user)?.includes(`${verb} ${subresource}`) === true } };
  },
};

const permitOf = (document: JsonObject) =>
  buildAuth({
    node: 'n1',
    configuration: readKubeletConfiguration([document]).configuration,
    client,
    clock,
    onFault: (error) => void faults.push(String(error)),
  });

const certificateOf = (commonName: string, more: Partial<ClientCertificate> = {}): ClientCertificate => ({
  commonName,
  organizations: [],
  signedBy: ['client'],
  sha256: '00',
  notAfter: clock.now() + 1000,
  ...more,
});

type Shown = Pick<NodeRequest, 'clientCertificate'> & { readonly token?: string };

function request(line: string, { token, ...shown }: Shown = {}): NodeRequest {
  const [method = '', path = ''] = line.split(' ');
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { signal } = new AbortController();
  return { method, path, query: new URLSearchParams(), headers, isUpgrade: false, signal, ...shown };
}

/** The status and text of a rejection, or `permitted`. */
async function answerTo(line: string, shown: Shown = {}, document: JsonObject = CA): Promise<string> {
  const refusal = await permitOf(document)(request(line, shown));
  return refusal === undefined ? 'permitted' : `${refusal.status} ${String(refusal.body)}`;
}

const CA = { authentication: { x509: { clientCAFile: '/ca.crt' } } };
const by = (commonName: string): Shown => ({ clientCertificate: certificateOf(commonName) });

describe('permissions for a path', () => {
  test.each([
    ['GET /pods', 'get pods proxy'],
    ['GET /pods/', 'get pods proxy'],
    ['GET /%70ods', 'get pods proxy'],
    ['GET /podsandmore', 'get proxy'],
    ['GET /runningpods/', 'get pods proxy'],
    ['GET /runningPods/', 'get proxy'],
    ['GET /healthz', 'get healthz proxy'],
    ['GET /healthz/syncloop', 'get healthz proxy'],
    ['GET /configz', 'get configz proxy'],
    ['GET /stats/summary', 'get stats'],
    ['GET /metrics', 'get metrics'],
    ['GET /metrics/cadvisor', 'get metrics'],
    ['GET /metrics%2F..%2Fexec', 'get proxy'],
    ['GET //metrics', 'get proxy'],
    ['GET /%zz', 'get proxy'],
    ['GET /logs/', 'get log'],
    ['GET /logs/syslog', 'get log'],
    ['POST /checkpoint/n/p/c', 'create checkpoint'],
    ['GET /statusz', 'get statusz'],
    ['GET /flagz', 'get configz'],
    ['GET /exec/n/p/c', 'get proxy'],
    ['POST /exec/n/p/c', 'create proxy'],
    ['POST /run/n/p/c', 'create proxy'],
    ['GET /containerLogs/n/p/c', 'get proxy'],
    ['GET /', 'get proxy'],
    ['HEAD /metrics', ' metrics'],
    ['PUT /debug/flags/v', 'update proxy'],
    ['constructor /constructor', ' proxy'],
  ])('maps %s to %s', (line, expected) => {
    const asked = requestAttributes('n1', request(line));
    expect([asked[0]?.verb, ...asked.map(({ subresource }) => subresource)].join(' ')).toBe(expected);
    for (const one of asked) expect(one).toMatchObject({ resource: 'nodes', name: 'n1', version: 'v1', group: '' });
  });
});

test('requires permission to create for an upgrade with any method', () => {
  const [asked] = requestAttributes('n1', { ...request('GET /exec/n/p/c'), isUpgrade: true });
  expect(asked).toMatchObject({ verb: 'create', subresource: 'proxy' });
});

describe("users of the node's port", () => {
  test.each<[string, Shown, string]>([
    ['GET /metrics', { token: 'monitoring' }, 'permitted'],
    ['GET /stats/summary', { token: 'monitoring' }, 'permitted'],
    [
      'GET /pods',
      { token: 'monitoring' },
      '403 Forbidden (user=system:serviceaccount:monitoring:prometheus, verb=get, resource=nodes, subresource(s)=[pods proxy])\n',
    ],
    [
      'POST /exec/n/p/c',
      { token: 'monitoring' },
      '403 Forbidden (user=system:serviceaccount:monitoring:prometheus, verb=create, resource=nodes, subresource(s)=[proxy])\n',
    ],
    ['GET /metrics', { token: 'unknown' }, '401 Unauthorized'],
    ['GET /metrics', {}, '401 Unauthorized'],
  ])('handles %s with %j: %s', async (line, shown, expected) => {
    expect(await answerTo(line, shown)).toBe(expected);
  });

  test.each([
    ['narrow', 'GET /pods', 'permitted'],
    ['narrow', 'GET /healthz', 'permitted'],
    ['narrow', 'GET /configz', 'permitted'],
    ['narrow', 'GET /metrics', '403 Forbidden (user=narrow, verb=get, resource=nodes, subresource(s)=[metrics])\n'],
    ['wide', 'GET /pods', 'permitted'],
    ['wide', 'GET /healthz', 'permitted'],
    ['wide', 'GET /metrics', '403 Forbidden (user=wide, verb=get, resource=nodes, subresource(s)=[metrics])\n'],
    ['wide', 'POST /exec/n/p/c', 'permitted'],
  ])('checks the user %s with a certificate for %s: %j', async (name, line, expected) => {
    expect(await answerTo(line, by(name))).toBe(expected);
  });

  test("adds a certificate's user to the authenticated users", async () => {
    await answerTo('GET /healthz', by('narrow'));
    expect(reviews[0]?.['spec']).toMatchObject({ user: 'narrow', groups: ['system:authenticated'] });
  });

  test.each<[string, Partial<ClientCertificate>]>([
    ['from an unknown CA', { signedBy: [] }],
    ['that has expired', { notAfter: 0 }],
    ['without a name', { commonName: '' }],
  ])('treats a certificate %s as anonymous', async (_, more) => {
    const clientCertificate = certificateOf('wide', more);
    expect(await answerTo('GET /pods', { clientCertificate })).toBe('401 Unauthorized');
  });

  test('rejects a certificate without a client CA', async () => {
    expect(await answerTo('GET /pods', by('wide'), {})).toBe('401 Unauthorized');
  });
});

test("caches the API server's responses for the configured time", async () => {
  const permit = permitOf({
    authentication: { webhook: { cacheTTL: '1m' } },
    authorization: { webhook: { cacheAuthorizedTTL: '10s' } },
  });
  const count = async (): Promise<number> => {
    await permit(request('GET /metrics', { token: 'monitoring' }));
    return reviews.length;
  };
  expect([await count(), await count()]).toEqual([2, 2]);
  await clock.sleep(11_000);
  expect(await count()).toBe(3);
  await clock.sleep(60_000);
  expect(await count()).toBe(5);
});

test('returns a server error and no permission if the API server does not respond', async () => {
  failure = serviceUnavailable('it is down');
  const clientCertificate = certificateOf('wide');
  const text = '500 Authorization error (user=wide, verb=get, resource=nodes, subresource=pods)';
  expect(await answerTo('GET /pods', { clientCertificate })).toBe(text);
  expect(await answerTo('GET /pods', { token: 'monitoring' })).toBe('401 Unauthorized');
  expect(faults).toEqual([expect.stringContaining('it is down'), expect.stringContaining('it is down')]);
});

test('calls a failing API server five times', async () => {
  failure = unclassified('it broke');
  await answerTo('GET /metrics', by('wide'));
  expect(reviews.length).toBe(5);
});

test('treats a client without credentials as anonymous if configured, but not one with an invalid token', async () => {
  const document = { authentication: { anonymous: { enabled: true } }, authorization: { mode: 'AlwaysAllow' } };
  expect(await answerTo('GET /metrics', {}, document)).toBe('permitted');
  expect(await answerTo('GET /metrics', { token: 'unknown' }, document)).toBe('401 Unauthorized');
  const asked = { authentication: { anonymous: { enabled: true } } };
  const text = '403 Forbidden (user=system:anonymous, verb=get, resource=nodes, subresource(s)=[metrics])\n';
  expect(await answerTo('GET /metrics', {}, asked)).toBe(text);
});

test.each<[string, JsonObject]>([
  ['no authentication method configured', { authentication: { webhook: { enabled: false } } }],
  ['unknown authorization mode RBAC', { authorization: { mode: 'RBAC' } }],
])('rejects a configuration: %s', (text, document) => {
  expect(() => permitOf(document)).toThrow(text);
});
