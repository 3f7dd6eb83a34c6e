import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { countingClient } from '#adapters/aws/dynamodb/counting-client.ts';
import { dynamoStore } from '#adapters/aws/dynamodb/store.ts';
import { functionUrlRequest } from '#adapters/aws/lambda/function-url.ts';
import { apiClient } from '#lib/client/api-client.ts';
import { bootstrapOnce } from '#lib/controllers/bootstrap/first-start.ts';
import { authorityOf } from '#lib/controllers/certificates/issue.ts';
import { keptSigner, type SharedSecret } from '#lib/controllers/certificates/kept-signer.ts';
import { newSigner } from '#lib/controllers/certificates/new-signer.ts';
import { newUid } from '#lib/machinery/random.ts';
import type { VouchedBy } from '#lib/server/authentication/authenticator.ts';
import { identityMap } from '#lib/server/authentication/aws/identity-map.ts';
import { awsToken } from '#lib/server/authentication/aws/presign.ts';
import { PREFIX } from '#lib/server/authentication/aws/presigned-url.ts';
import { parseConfiguration } from '#lib/server/authentication/configuration.ts';
import { jwkOf, signedJwt, signingKey, verificationKey } from '#lib/server/authentication/key.ts';
import { type NodeKeyPair, signedAssertion } from '#lib/server/authentication/node-assertion/sign.ts';
import { validateConfiguration } from '#lib/server/authentication/oidc/validate.ts';
import { ISSUER } from '#lib/server/authentication/service-account/identity.ts';
import { aKey } from '#lib/server/authentication/testing/world.ts';
import { vouchedCertificate } from '#lib/server/authentication/vouched-certificate.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { MemoryTable } from '#test/support/dynamodb-local/memory-table.ts';
import { serviceAccountKeys, sharedSecret } from './identity.ts';
import { type Apiserver, buildApiserver } from './wiring.ts';

const LOGIN = 'https://login.example';
const LOGIN_KEY = aKey();
const FORGER = signingKey(aKey());
const CLUSTER = 'davit';
const clock = new ManualClock();
/** The response of STS to a token: an error, or an identity that the identity map does not contain. */
const sts = { status: 403 };
let calls = 0;

/** The responses of other servers to authentication requests, with a count. */
const https = {
  async get({ url }: { url: string }) {
    calls++;
    const identity = { Arn: 'arn:aws:iam::210987654321:user/eve', Account: '210987654321', UserId: 'AIDAEVE' };
    const answers: Readonly<Record<string, object>> = {
      [`${LOGIN}/.well-known/openid-configuration`]: { issuer: LOGIN, jwks_uri: `${LOGIN}/keys` },
      [`${LOGIN}/keys`]: { keys: [jwkOf(verificationKey(LOGIN_KEY))] },
    };
    const found = answers[url];
    const caller = { GetCallerIdentityResponse: { GetCallerIdentityResult: identity } };
    return { status: found === undefined ? sts.status : 200, body: Buffer.from(JSON.stringify(found ?? caller)) };
  },
};
const transport = {
  async post() {
    calls++;
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', status: { error: 'unknown' } };
    return { status: 200, contentType: 'application/json', body: Buffer.from(JSON.stringify(review)) };
  },
};

/** A server with a function's settings and every authenticator. The webhook authenticator is called for each unknown token. */
async function aServer(table: ReturnType<typeof countingClient>['table'], hasWebhook: boolean): Promise<Apiserver> {
  const document = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: [{ issuer: { url: LOGIN, audiences: ['kube'] }, claimMappings: { username: { claim: 'sub', prefix: '' } } }],
  };
  const { issuers } = validateConfiguration(parseConfiguration(JSON.stringify(document)), []);
  const map = identityMap({ clusterId: CLUSTER, partition: 'aws', principals: [], accounts: [] });
  const webhook = { config: { url: 'https://review.example', caBundle: '' } };
  const secret: SharedSecret = (name, make) => sharedSecret(table, { clock, name, kms: undefined }, make);
  await keptSigner(secret, new Date(clock.now()));
  const server = buildApiserver({
    store: dynamoStore(table, { clock }),
    clock,
    exclusive: false,
    cacheBytes: 64 * 1024 * 1024,
    serverAddress: 'localhost:443',
    tokens: new Map(),
    serviceAccounts: serviceAccountKeys(table, { clock, name: 'service-accounts', kms: undefined }),
    nodeAssertions: { cluster: CLUSTER, authority: async () => (await keptSigner(secret, new Date())).certificate },
    https,
    webhooks: { transport },
    authentication: { issuers, aws: { map }, ...(hasWebhook ? { webhook } : {}) },
    reportFault: (_, error) => console.error(error),
  });
  const client = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'davit' });
  await bootstrapOnce(client, { host: 'localhost', port: 443 }, '1');
  return server;
}

const seconds = (): number => Math.floor(clock.now() / 1000);
let forged = 0;
/** Claims that differ from those of every other token in this test. */
const claims = (iss: string, aud: string): string =>
  JSON.stringify({ iss, aud, sub: `eve-${forged++}`, exp: seconds() + 600, jti: newUid() });
const presigned = (): string => {
  const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: `guess-${forged++}` };
  return awsToken({ credentials, region: 'us-east-1', clusterId: CLUSTER, now: clock.now() }).token;
};

let foreign: NodeKeyPair;
beforeAll(async () => {
  const others = authorityOf(await newSigner(new Date(clock.now())), new Date(clock.now()));
  foreign = await others.issue({ name: 'system:node:n1', organizations: ['system:nodes'] });
});
/** An assertion that is valid except for its CA. */
const asserted = (): string => {
  const request = { method: 'POST', path: '/api/v1/pods', query: new URLSearchParams(), body: Buffer.from(newUid()) };
  return signedAssertion(foreign, request, { cluster: CLUSTER, host: 'localhost', now: clock.now() });
};

interface Stranger {
  readonly path?: string;
  readonly token?: () => string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly sts?: number;
  readonly hasWebhook?: true;
  /**
   * The expected values of the row: status, reads of the table, and calls to other servers, for 21 requests within one second after a
   * minute without requests.
   */
  readonly costs: readonly [status: number, reads: number, calls: number];
}

/** The rows of the table in docs/security.md, by first cell. */
const STRANGERS: Readonly<Record<string, Stranger>> = {
  'no credentials: `/healthz`, `/livez`, `/readyz`, `/version`': { path: '/readyz', costs: [200, 1, 0] },
  'no credentials: any other path': { path: '/apis', costs: [403, 1, 0] },
  'no credentials: objects': { costs: [403, 1, 0] },
  'headers of a client certificate, without the secret of CloudFront': {
    headers: { 'cloudfront-viewer-cert-present': '1', 'cloudfront-viewer-cert-pem': 'x' },
    costs: [401, 0, 0],
  },
  'a token of no known form': { token: () => `nobody-${forged++}`, costs: [401, 0, 0] },
  'a JWT of an issuer that is not configured': {
    token: () => signedJwt(FORGER, claims('https://other.example', 'kube')),
    costs: [401, 0, 0],
  },
  'a service account token with a wrong signature': {
    token: () => signedJwt(FORGER, claims(ISSUER, ISSUER)),
    costs: [401, 0, 0],
  },
  'a signed request of a node of another authority': { token: () => asserted(), costs: [401, 0, 0] },
  'a bootstrap token that is not there': {
    token: () => `${String(forged++).padStart(6, 'x')}.0123456789abcdef`,
    costs: [401, 1, 0],
  },
  'an ID token of a configured issuer with a wrong signature': {
    token: () => signedJwt(FORGER, claims(LOGIN, 'kube')),
    costs: [401, 0, 2],
  },
  'a token of `aws eks get-token` of a wrong form, or an old one': {
    token: () => `${PREFIX}${Buffer.from(`https://sts.amazonaws.com/?guess=${forged++}`).toString('base64url')}`,
    costs: [401, 0, 0],
  },
  'a token of `aws eks get-token` with a wrong signature': { token: presigned, costs: [401, 0, 21] },
  'a token of `aws eks get-token` of a principal without access': { token: presigned, sts: 200, costs: [401, 1, 21] },
  'any of these tokens, with a TokenReview webhook': {
    token: () => `nobody-${forged++}`,
    hasWebhook: true,
    costs: [401, 0, 21],
  },
};

describe('a warm environment with unauthenticated requests', () => {
  const { table, counts, reset } = countingClient(new MemoryTable());
  let plain: Apiserver;
  let asking: Apiserver;
  beforeAll(async () => {
    [plain, asking] = [await aServer(table, false), await aServer(table, true)];
  });

  async function ask({ path = '/api/v1/pods', headers = {}, hasWebhook }: Stranger, token?: string): Promise<number> {
    const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const event = {
      rawPath: path,
      rawQueryString: '',
      headers: { ...headers, ...bearer },
      requestContext: {
        domainName: 'localhost',
        http: { method: path === '/api/v1/pods' ? 'POST' : 'GET', sourceIp: '' },
      },
      get body(): string {
        throw new Error('nobody reads the body of a stranger');
      },
      isBase64Encoded: false,
    };
    const { signal } = new AbortController();
    const vouched: VouchedBy = (sent) => vouchedCertificate(sent, 'secret');
    const request = functionUrlRequest(event, { signal: () => signal, vouched });
    return (await (hasWebhook ? asking : plain).handle(request)).status;
  }

  /** Returns the costs of 21 requests, the first after a minute without requests. Each request has its own token, unless all use `same`. */
  async function costs(stranger: Stranger, same?: string): Promise<Stranger['costs']> {
    sts.status = stranger.sts ?? 403;
    await ask(stranger, stranger.token?.()); // loads the state that an environment keeps
    clock.advance(60_000);
    reset();
    calls = 0;
    const statuses = new Set<number>();
    for (let i = 0; i < 21; i++) statuses.add(await ask(stranger, same ?? stranger.token?.()));
    expect(statuses.size).toBe(1);
    return [[...statuses][0] ?? 0, counts.reads, calls];
  }

  test.each(Object.entries(STRANGERS))('has the documented costs for %s', async (_, stranger) => {
    expect(await costs(stranger)).toEqual(stranger.costs);
    expect(counts.writes).toBe(0);
  });

  test('rejects requests without credentials for another five seconds without reading roles again', async () => {
    await costs({ costs: [403, 1, 0] });
    clock.advance(4_900);
    reset();
    expect([await ask({ costs: [403, 0, 0] }), counts.reads]).toEqual([403, 0]);
  });

  test.each<[string, () => string, Stranger]>([
    ['STS', presigned, { costs: [401, 0, 1] }],
    ['STS that knows the principal', presigned, { sts: 200, costs: [401, 1, 1] }],
    ['a webhook', () => 'nobody', { hasWebhook: true, costs: [401, 0, 1] }],
  ])('calls %s once in ten seconds for a token that it rejects', async (_, token, stranger) => {
    clock.advance(60_000);
    const one = token();
    expect(await costs(stranger, one)).toEqual(stranger.costs);
    clock.advance(10_000);
    await ask(stranger, one);
    expect(calls).toBe(2);
  });

  test('authenticates a new bootstrap token, even while strangers guess tokens', async () => {
    const guess = STRANGERS['a bootstrap token that is not there'];
    if (guess === undefined) throw new Error('there is a row');
    await costs(guess);
    const client = apiClient({ handle: plain.handle, token: plain.loopbackToken, userAgent: 'test' });
    const stringData = {
      'token-id': 'abcdef',
      'token-secret': '0123456789abcdef',
      'usage-bootstrap-authentication': 'true',
    };
    await client.create(
      { group: '', version: 'v1', resource: 'secrets' },
      {
        metadata: { name: 'bootstrap-token-abcdef', namespace: 'kube-system' },
        type: 'bootstrap.kubernetes.io/token',
        stringData,
      },
    );
    expect(await ask(guess, 'abcdef.0123456789abcdef')).toBe(403);
    expect(await ask(guess, 'abcdef.0123456789abcdee')).toBe(401);
  });
});

test('docs/security.md has the same figures', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8');
  const rows = Object.entries(STRANGERS).map(([name, { costs }]) => `| ${[name, ...costs].join(' | ')} |`);
  expect(rows.filter((row) => !text.includes(row))).toEqual([]);
});
