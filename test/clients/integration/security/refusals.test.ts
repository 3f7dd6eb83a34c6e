import 'reflect-metadata';
import { createHmac, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Authority } from '#lib/controllers/certificates/issue.ts';
import { type KeyPair, newSigner } from '#lib/controllers/certificates/new-signer.ts';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { newAuthority } from '#local/certs.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { exchanged, rawStatus, whoIs } from './exchange.ts';

const HERE = '/api/v1/namespaces/default';
const REMOTE = { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' };
let server: RunningApiserver;
let admin: Requester;
let proxies: Authority;
let clients: Authority;

beforeAll(async () => {
  [proxies, clients] = await Promise.all([newAuthority(new Date()), newAuthority(new Date())]);
  server = await startApiserver({
    clientCa: clients.certificate,
    tokens: new Map([['bobs', { name: 'bob', groups: ['dev'] }]]),
    proxyCa: proxies.certificate,
    authentication: {
      anonymous: { paths: ['/livez', '/readyz'] },
      requestHeaders: {
        allowedNames: ['front'],
        usernameHeaders: ['X-Remote-User'],
        uidHeaders: ['X-Remote-Uid'],
        groupHeaders: ['X-Remote-Group'],
        extraHeaderPrefixes: ['X-Remote-Extra-'],
      },
    },
  });
  admin = requester(server);
  await admin('POST', `${HERE}/serviceaccounts`, { metadata: { name: 'sa' } });
});
afterAll(() => server.close());

const asBob = { authorization: 'Bearer bobs' };
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

async function tokenOf(spec: JsonObject = {}): Promise<string> {
  const { body } = await admin('POST', `${HERE}/serviceaccounts/sa/token`, { spec });
  return stringAt(objectAt(body, 'status'), 'token') ?? '';
}

describe('headers of a proxy', () => {
  test('are trusted from a proxy', async () => {
    const front = await proxies.issue({ name: 'front' });
    expect(await whoIs(server, { headers: { 'x-remote-user': 'amy' }, client: front })).toBe('amy');
  });

  test('are ignored from any other client', async () => {
    const other = await (await newAuthority(new Date())).issue({ name: 'front' });
    expect(await whoIs(server, { headers: REMOTE })).toBe('');
    expect(await whoIs(server, { headers: { ...REMOTE, ...asBob } })).toBe('bob');
    expect(await whoIs(server, { headers: REMOTE, client: other })).toBe('');
    expect(await whoIs(server, { headers: REMOTE, client: await proxies.issue({ name: 'back' }) })).toBe('');
  });

  test('are not trusted from a client certificate with the name of a proxy', async () => {
    expect(await whoIs(server, { headers: REMOTE, client: await clients.issue({ name: 'front' }) })).toBe('front');
  });

  test('authenticate no user if the proxy leaves the name empty, whatever its client sends', async () => {
    const front = await proxies.issue({ name: 'front' });
    expect(await whoIs(server, { headers: { ...REMOTE, 'x-remote-user': ['', 'admin'] }, client: front })).toBe('');
    expect(await whoIs(server, { headers: { 'x-remote-group': 'system:masters' }, client: front })).toBe('');
  });

  test('a proxy certificate is not a client certificate', async () => {
    const masters = await proxies.issue({ name: 'admin', organizations: ['system:masters'] });
    expect(await whoIs(server, { client: masters })).toBe('');
  });

  test.each([
    ['x-remote-user ', '400'],
    ['x_remote_user', ''],
    ['x-remote-user\t', '400'],
  ])('%j is none of them', async (name, found) => {
    const front = await proxies.issue({ name: 'front' });
    const asked = whoIs(server, { headers: { [name]: 'admin' }, client: front }).catch(() => '400');
    expect(await asked).toBe(found);
  });
});

describe('a client certificate', () => {
  test("is rejected if it is a stranger's, the server's own, or self-signed", async () => {
    const strangers = await newAuthority(new Date());
    const masters = { name: 'admin', organizations: ['system:masters'] };
    expect(await whoIs(server, { client: await strangers.issue(masters) })).toBe('');
    expect(await whoIs(server, { client: await newSigner(new Date()) })).toBe('');
  });

  test('is rejected if it is a server certificate, for any signer', async () => {
    const masters = { name: 'admin', organizations: ['system:masters'] };
    expect(await whoIs(server, { client: await clients.issue(masters) })).toBe('somebody with every right');
    expect(await whoIs(server, { client: await clients.issue(masters, ['127.0.0.1']) })).toBe('');
  });

  test.each([
    ['was', -20, -10],
    ['is not yet', 10, 20],
  ])('is rejected if it %s valid', async (_, from, to) => {
    const { authority, issue } = await anAuthority(from, to);
    await using other = await startApiserver({ controllers: false, proxyCa: authority, authentication: PROXIED });
    expect(await whoIs(other, { headers: REMOTE, client: await issue('front') })).toBe('');
  });

  test('is accepted if it is valid and from the same authority', async () => {
    const { authority, issue } = await anAuthority(-10, 10);
    await using other = await startApiserver({ controllers: false, proxyCa: authority, authentication: PROXIED });
    expect(await whoIs(other, { headers: { 'x-remote-user': 'amy' }, client: await issue('front') })).toBe('amy');
  });

  test('does not become another user by a header', async () => {
    expect(await whoIs(server, { headers: { 'x-ssl-client-s-dn': 'O=system:masters,CN=admin', ...asBob } })).toBe(
      'bob',
    );
  });
});

const PROXIED = {
  requestHeaders: {
    allowedNames: [],
    usernameHeaders: ['X-Remote-User'],
    uidHeaders: [],
    groupHeaders: [],
    extraHeaderPrefixes: [],
  },
};

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const days = (count: number): Date => new Date(Date.now() + count * 86_400_000);

/** An authority whose certificates become valid two days from now. */
async function anAuthority(from: number, to: number) {
  const own = await newSigner(new Date());
  const root = new x509.X509Certificate(own.certificate);
  const pem = own.key.replace(/-----[^-]+-----|\s/g, '');
  const signingKey = await webcrypto.subtle.importKey('pkcs8', Buffer.from(pem, 'base64'), ALGORITHM, false, ['sign']);
  const issue = async (name: string): Promise<KeyPair> => {
    const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
    const certificate = await x509.X509CertificateGenerator.create({
      notBefore: days(from),
      notAfter: days(to),
      serialNumber: '0102',
      subject: `CN=${name}`,
      issuer: root.subject,
      publicKey: keys.publicKey,
      signingKey,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
        await x509.AuthorityKeyIdentifierExtension.create(root.publicKey),
      ],
    });
    const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
    return {
      certificate: certificate.toString('pem'),
      key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`,
    };
  };
  return { authority: own.certificate, issue };
}

describe('a bearer token', () => {
  test("is accepted if it is a service account's", async () => {
    expect(await whoIs(server, bearer(await tokenOf()))).toBe('system:serviceaccount:default:sa');
  });

  test('is rejected if it is for another audience', async () => {
    expect(await whoIs(server, bearer(await tokenOf({ audiences: ['vault'] })))).toBe('');
  });

  test.each<[string, (header: string, claims: string, signature: string, key: string) => string]>([
    ['alg none', (_, claims) => `${encoded({ alg: 'none' })}.${claims}.`],
    ['alg None, with a signature', (_, claims, signature) => `${encoded({ alg: 'None' })}.${claims}.${signature}`],
    ['alg of a secret, the public key its secret', (_, claims, _signature, key) => hmac(claims, key)],
    ['alg of another key', (_, claims, signature) => `${encoded({ alg: 'RS256' })}.${claims}.${signature}`],
    ['a signature of nothing', (header, claims) => `${header}.${claims}.${'A'.repeat(86)}`],
    ['no signature', (header, claims) => `${header}.${claims}`],
    [
      'a signature in DER',
      (header, claims) => `${header}.${claims}.${Buffer.from('3006020100020100', 'hex').toString('base64url')}`,
    ],
    ['claims that were changed', (header, claims, signature) => `${header}.${changed(claims)}.${signature}`],
    [
      'a key of its own',
      (_, claims, signature) => `${encoded({ alg: 'ES256', jwk: { kty: 'EC' } })}.${claims}.${signature}`,
    ],
    [
      'a key elsewhere',
      (_, claims, signature) => `${encoded({ alg: 'ES256', kid: '../../../dev/null' })}.${claims}.${signature}`,
    ],
    [
      'what must be understood',
      (_, claims, signature) => `${encoded({ alg: 'ES256', crit: ['b64'], b64: false })}.${claims}.${signature}`,
    ],
  ])('is rejected if it has %s', async (_, forge) => {
    const [header = '', claims = '', signature = ''] = (await tokenOf()).split('.');
    const { body } = await admin('GET', '/openid/v1/jwks');
    expect(await whoIs(server, bearer(forge(header, claims, signature, JSON.stringify(body))))).toBe('');
  });

  test.each([['bobs, other'], ['bobsx'], ['bob'], ['x'.repeat(70_000)]])('is rejected: %.20s', async (token) => {
    expect(await whoIs(server, bearer(token))).not.toBe('somebody with every right');
    expect(await whoIs(server, bearer(token))).toBe('');
  });

  test('is ignored in the query, or with another scheme', async () => {
    const { status } = await exchanged(server, `${HERE}/secrets?access_token=${server.adminToken}`);
    expect(status).toBe(401);
    const basic = Buffer.from(`admin:${server.adminToken}`).toString('base64');
    expect(await whoIs(server, { headers: { authorization: `Basic ${basic}` } })).toBe('');
  });

  test('is rejected without a reason', async () => {
    const { body } = await exchanged(server, `${HERE}/secrets`, bearer(await tokenOf({ audiences: ['vault'] })));
    expect(JSON.parse(body)).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Unauthorized',
      reason: 'Unauthorized',
      code: 401,
    });
  });
});

function hmac(claims: string, key: string): string {
  const signed = `${encoded({ alg: 'HS256' })}.${claims}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

function changed(claims: string): string {
  const read = JSON.parse(Buffer.from(claims, 'base64url').toString()) as JsonObject;
  return encoded({ ...read, aud: ['vault'], exp: 99_999_999_999 });
}

describe('an anonymous client', () => {
  test.each<[string, number]>([
    ['/livez', 200],
    ['/readyz', 200],
    ['/livez/', 401],
    ['/livez/ping', 401],
    ['/Livez', 401],
    ['//livez', 401],
    ['/livez/../api', 401],
    ['/livez%2f..%2fapi', 401],
    ['/%6civez', 401],
    ['/livez;/api', 401],
    ['/version', 401],
    ['/api', 401],
    [`${HERE}/secrets`, 401],
    ['/metrics', 401],
  ])('asks %s: %i', async (path, status) => {
    expect((await exchanged(server, path)).status).toBe(status);
  });
});

describe('a user without rights cannot', () => {
  test.each([
    [`/${HERE}/secrets`],
    ['/api/v1//namespaces/default/secrets'],
    ['/api/v1/namespaces/default//secrets'],
    ['/api/v1/namespaces/default/secrets/'],
    ['/api/v1/namespaces/default/./secrets'],
    ['/healthz/../api/v1/namespaces/default/secrets'],
    ['/healthz/%2e%2e/api/v1/namespaces/default/secrets'],
    ['/api/v1/namespaces/default/%73ecrets'],
    ['/api/v1/namespaces/default%2fsecrets'],
    ['/api/v1/namespaces/default/secrets.'],
    ['/api/v1/namespaces/default./secrets'],
    ['/api/v1/namespaces/default/secrets%00'],
    ['/api/v1/namespaces/default/SECRETS'],
    ['/API/v1/namespaces/default/secrets'],
    ['/api/v1/secrets'],
    ['/api/v1/watch/namespaces/default/secrets'],
    ['/api/v1/watch/secrets'],
    ['/api/v1/proxy/namespaces/default/secrets'],
    ['http://127.0.0.1/api/v1/namespaces/default/secrets'],
  ])('read %s', async (path) => {
    const { status, body } = await exchanged(server, path, { headers: asBob });
    expect([301, 400, 403, 404, 405]).toContain(status);
    expect(body).not.toContain('SecretList');
  });

  test.each<[string, Record<string, string>]>([
    ['another method', { 'x-http-method-override': 'GET' }],
    ['another path', { 'x-original-url': '/livez', 'x-rewrite-url': '/livez' }],
    ['another host', { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'localhost', 'x-real-ip': '127.0.0.1' }],
  ])('a header of %s', async (_, headers) => {
    expect(await whoIs(server, { headers: { ...headers, ...asBob } })).toBe('bob');
  });
});

test('two hosts are rejected', async () => {
  const lines = ['Host: localhost', 'Host: other', 'Authorization: Bearer bobs'];
  expect(await rawStatus(server, '/livez', lines)).toBe(400);
  expect(await rawStatus(server, '/livez', lines.slice(1))).toBe(200);
});

describe('a user without the right to impersonate', () => {
  test.each<[string, Record<string, string | string[]>]>([
    ['a user', { 'impersonate-user': 'admin' }],
    ['the group of the superuser', { 'impersonate-user': 'bob', 'impersonate-group': 'system:masters' }],
    ['himself, in a group of his', { 'impersonate-user': 'bob', 'impersonate-group': 'dev' }],
    ['a service account', { 'impersonate-user': 'system:serviceaccount:kube-system:default' }],
    ['a node', { 'impersonate-user': 'system:node:n1' }],
    ['the server itself', { 'impersonate-user': 'system:apiserver', 'impersonate-group': ['system:masters', 'dev'] }],
    ['with a uid', { 'impersonate-user': 'bob', 'impersonate-uid': '0' }],
    ['with an extra', { 'impersonate-user': 'bob', 'impersonate-extra-acme.org%2fa': 'b' }],
  ])('%s does not', async (_, headers) => {
    const { status, body } = await exchanged(server, `${HERE}/secrets`, { headers: { ...asBob, ...headers } });
    expect([status, body]).toEqual([403, expect.stringContaining('User \\"bob\\" cannot impersonate')]);
  });

  test('cannot bypass that with a group without a user', async () => {
    const headers = { ...asBob, 'impersonate-group': 'system:masters' };
    expect((await exchanged(server, `${HERE}/secrets`, { headers })).status).toBe(400);
  });

  test('cannot bypass that with a similar name', async () => {
    const headers = { ...asBob, impersonate_user: 'admin', 'x-impersonate-user': 'admin' };
    expect(await whoIs(server, { headers })).toBe('bob');
  });
});

test('an impersonating user only has the permissions of the impersonated one', async () => {
  const headers = { authorization: `Bearer ${server.adminToken}`, 'impersonate-user': 'bob' };
  expect(await whoIs(server, { headers })).toBe('bob');
});
