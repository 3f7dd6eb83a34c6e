import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issuerOf } from '#lib/server/options/oidc.ts';
import { newAuthority } from '../certs.ts';
import { davitCommand, type Flags } from '../command.ts';
import { authenticationOf } from './authentication.ts';
import { warningsOfGates } from './feature-gate.ts';
import { serviceAccountsOf } from './service-account.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const PRIVATE = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim();
const PUBLIC = publicKey.export({ type: 'spki', format: 'pem' }).toString().trim();

const CONFIGURATION = 'apiVersion: apiserver.config.k8s.io/v1, kind: AuthenticationConfiguration';

let folder = '';
const at = (name: string): string => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'davit-access-'));
  await writeFile(at('key'), PRIVATE);
  await writeFile(at('keys'), `a comment\n${PUBLIC}\n${PRIVATE}\n`);
  await writeFile(at('empty'), 'nothing');
  await writeFile(at('ca'), (await newAuthority(new Date())).certificate);
  await writeFile(at('issuers'), `{${CONFIGURATION}}`);
  await writeFile(at('anonymous'), `{${CONFIGURATION}, anonymous: {enabled: true}}`);
});
afterAll(() => rm(folder, { recursive: true }));

/** `@name` refers to a file of this test. */
const flags = (...all: string[]): Flags =>
  davitCommand()
    .parse(['node', 'davit', ...all.map((one) => (one.startsWith('@') ? at(one.slice(1)) : one))])
    .opts<Flags>();

const ISSUER = ['--service-account-issuer', 'https://one.example.com'];
const SIGNING = ['--service-account-signing-key-file', '@key'];
const OIDC = ['--oidc-issuer-url', 'https://id.example.com', '--oidc-client-id', 'us'];

test.each<[string[], object]>([
  [[], {}],
  [[...ISSUER, '--service-account-issuer', 'two'], { issuers: ['https://one.example.com', 'two'] }],
  [['--api-audiences', 'a,b'], { audiences: ['a', 'b'] }],
  [['--service-account-max-token-expiration', '2h'], { maxExpirationSeconds: 7200 }],
  [['--service-account-jwks-uri', 'https://k'], { jwksUri: 'https://k' }],
])('reads service account flags from %j', async (given, expected) => {
  expect(await serviceAccountsOf(flags(...given))).toEqual({ serviceAccounts: expected });
});

test('signs with one service account key, and verifies with all keys of a file', async () => {
  const read = await serviceAccountsOf(flags(...SIGNING, '--service-account-key-file', '@keys'));
  expect(read).toEqual({ serviceAccounts: { signingKey: PRIVATE, verificationKeys: [PUBLIC, PRIVATE] } });
});

test.each<[string[], string]>([
  [['--service-account-key-file', '@keys'], '--service-account-key-file needs'],
  [SIGNING, 'must be specified with --service-account-signing-key-file'],
  [[...SIGNING, '--service-account-key-file', '@empty'], 'data does not contain any valid'],
  [[...SIGNING, '--service-account-key-file', '@none'], 'there is no such place'],
  [[...ISSUER, ...ISSUER], 'is already specified'],
  [['--service-account-issuer', 'http:// x'], 'was not a valid URL'],
  [['--service-account-max-token-expiration', '1m'], 'must be between 1 hour and 2^32 seconds'],
  [['--service-account-max-token-expiration', 'x'], '--service-account-max-token-expiration: '],
])('rejects the service account flags %j', async (given, message) => {
  await expect(serviceAccountsOf(flags(...given))).rejects.toThrow(message);
});

test.each<[string[], object]>([
  [OIDC, { username: { claim: 'sub', prefix: 'https://id.example.com#' }, groups: { claim: '' } }],
  [[...OIDC, '--oidc-username-claim', 'email'], { username: { claim: 'email', prefix: '' } }],
  [[...OIDC, '--oidc-username-prefix', '-'], { username: { claim: 'sub', prefix: '' } }],
  [[...OIDC, '--oidc-username-prefix', 'x:'], { username: { claim: 'sub', prefix: 'x:' } }],
  [[...OIDC, '--oidc-groups-claim', 'g', '--oidc-groups-prefix', 'y:'], { groups: { claim: 'g', prefix: 'y:' } }],
])('reads an issuer from %j', async (given, claimMappings) => {
  expect(issuerOf(flags(...given), undefined)).toMatchObject({ issuer: { audiences: ['us'] }, claimMappings });
  const { authentication } = await authenticationOf(flags(...given));
  expect(authentication?.issuers).toHaveLength(1);
});

test('accepts commas and equals signs in required claims', () => {
  expect(issuerOf(flags(...OIDC, '--oidc-required-claim', 'a=b,c=d'), undefined)?.claimValidationRules).toMatchObject([
    { claim: 'a', requiredValue: 'b,c=d' },
  ]);
});

test('reads certificates of clients, and can disable bootstrap tokens', async () => {
  const read = await authenticationOf(flags('--client-ca-file', '@ca', '--enable-bootstrap-token-auth', 'false'));
  expect(read.clientCa).toContain('BEGIN CERTIFICATE');
  expect(read.authentication?.bootstrapTokens).toBe(false);
});

test.each<[string[], object | false | undefined]>([
  [[], undefined],
  [['--anonymous-auth', 'true'], undefined],
  [['--anonymous-auth', 'false'], false],
  [['--authorization-mode', 'Node,RBAC'], undefined],
  [['--authorization-mode', 'RBAC,AlwaysAllow'], false],
  [['--authorization-mode', 'AlwaysAllow', '--anonymous-auth', 'true'], false],
  [['--authorization-mode', 'AlwaysAllow', '--authentication-config', '@issuers'], false],
  [['--authorization-mode', 'AlwaysAllow', '--authentication-config', '@anonymous'], {}],
])('reads the anonymous authenticator from %j', async (given, anonymous) => {
  expect((await authenticationOf(flags(...given))).authentication?.anonymous).toEqual(anonymous);
});

test.each<[string[], string]>([
  [['--oidc-client-id', 'us'], 'must be specified together'],
  [[...OIDC, '--oidc-required-claim', 'a'], 'malformed pair, expect string=string'],
  [[...OIDC, '--authentication-config', '@issuers'], 'are mutually exclusive'],
  [
    ['--oidc-issuer-url', 'http://x', '--oidc-client-id', 'us'],
    'invalid authentication configuration: jwt[0].issuer.url',
  ],
  [['--client-ca-file', '@empty'], 'data does not contain any valid RSA or ECDSA certificates'],
  [['--client-ca-file', '@ca', '--requestheader-client-ca-file', '@ca'], 'contain overlapping certificates'],
  [['--enable-bootstrap-token-auth', 'yes'], '--enable-bootstrap-token-auth is true or false'],
  [['--anonymous-auth', 'no'], '--anonymous-auth is true or false'],
  [['--anonymous-auth', 'true', '--authentication-config', '@anonymous'], 'exclude each other'],
])('rejects the flags %j', async (given, message) => {
  await expect(authenticationOf(flags(...given))).rejects.toThrow(message);
});

test('warns of feature gates, or rejects them', () => {
  expect(warningsOfGates(flags('--feature-gates', 'AllAlpha=false'))).toEqual([]);
  expect(() => warningsOfGates(flags('--feature-gates', 'X=true'))).toThrow(
    '--feature-gates: unrecognized feature gate: X',
  );
});
