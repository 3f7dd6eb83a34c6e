import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { aggregate } from '#lib/machinery/validation/field.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import { parseConfiguration } from '../configuration.ts';
import { jwkOf, signedJwt, signingKey, verificationKey } from '../key.ts';
import { aClock, aKey, jwt, START } from '../testing/world.ts';
import { oidc } from './authenticator.ts';
import { validateConfiguration } from './validate.ts';

const ISSUER = 'https://login.example';
const PEM = aKey('rsa');
const NEXT = aKey();
const NOW = START / 1000;
const keySet = (...pems: string[]): JsonObject => ({ keys: pems.map((pem) => jwkOf(verificationKey(pem))) });
const document = (more: object = {}) => ({
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'AuthenticationConfiguration',
  jwt: [
    {
      issuer: { url: ISSUER, audiences: ['kube'] },
      claimMappings: { username: { claim: 'sub', prefix: '' } },
      ...more,
    },
  ],
});

function configured(more: object = {}) {
  const { issuers, errors } = validateConfiguration(parseConfiguration(JSON.stringify(document(more))), ['https://us']);
  expect(aggregate(errors)).toBe('');
  const [issuer] = issuers;
  if (issuer === undefined) throw new Error('there is one');
  return issuer;
}

/** An issuer whose documents may change. Undefined documents are unavailable. */
function provider(more: object = {}) {
  const documents: Record<string, JsonObject | undefined> = {
    [`${ISSUER}/.well-known/openid-configuration`]: { issuer: ISSUER, jwks_uri: `${ISSUER}/keys` },
    [`${ISSUER}/keys`]: keySet(PEM),
  };
  const asked: string[] = [];
  const https = {
    async get({ url }: { url: string }) {
      asked.push(url);
      const found = documents[url];
      if (found === undefined) throw new TransportError('connection refused');
      return { status: 200, body: Buffer.from(JSON.stringify(found)) };
    },
  };
  const clock = aClock();
  const authenticate = oidc(configured(more), { https, clock });
  return { documents, asked, clock, ask: (token: string) => authenticate(token, { warn: () => {} }) };
}

const claims = (more: JsonObject = {}): JsonObject => ({
  iss: ISSUER,
  sub: 'amy',
  aud: 'kube',
  exp: NOW + 600,
  ...more,
});
function without(name: string): JsonObject {
  const { [name]: _, ...rest } = claims();
  return rest;
}
const sign = (content: JsonObject, pem = PEM): string => signedJwt(signingKey(pem), JSON.stringify(content));

describe('users from ID token claims', () => {
  test.each<[string, object, JsonObject, object]>([
    ['maps a claim to the user name', {}, {}, { name: 'amy', groups: [] }],
    [
      'maps claims with prefixes',
      { claimMappings: { username: { claim: 'sub', prefix: 'o:' }, groups: { claim: 'g', prefix: 'o:' } } },
      { g: ['a', 'b'] },
      { name: 'o:amy', groups: ['o:a', 'o:b'] },
    ],
    [
      'maps a single group to a list',
      { claimMappings: { username: { claim: 'sub', prefix: '' }, groups: { claim: 'g', prefix: '' } } },
      { g: 'a' },
      { groups: ['a'] },
    ],
    [
      'maps a missing group claim to no groups',
      { claimMappings: { username: { claim: 'sub', prefix: '' }, groups: { claim: 'g', prefix: '' } } },
      {},
      { groups: [] },
    ],
    [
      'maps claims with expressions',
      {
        claimMappings: {
          username: { expression: '"u:" + claims.sub' },
          groups: { expression: 'claims.roles.split(",")' },
          uid: { expression: 'claims.oid__dash__1' },
          extra: [
            { key: 'acme.org/tenant', valueExpression: 'claims.tenant' },
            { key: 'acme.org/none', valueExpression: '""' },
          ],
        },
      },
      { roles: 'a,,b', 'oid-1': '7', tenant: ['x', 'y'], jti: 'j' },
      {
        name: 'u:amy',
        groups: ['a', 'b'],
        uid: '7',
        extra: { 'acme.org/tenant': ['x', 'y'], 'authentication.kubernetes.io/credential-id': ['JTI=j'] },
      },
    ],
    [
      'maps numbers to doubles',
      { claimMappings: { username: { expression: 'string(claims.exp > 1.5)' } } },
      {},
      { name: 'true' },
    ],
    [
      'maps a verified email',
      { claimMappings: { username: { claim: 'email', prefix: '' } } },
      { email: 'a@b', email_verified: true },
      { name: 'a@b' },
    ],
    [
      'maps an email without a verification claim',
      { claimMappings: { username: { claim: 'email', prefix: '' } } },
      { email: 'a@b' },
      { name: 'a@b' },
    ],
    [
      'accepts a token with one of several audiences',
      { issuer: { url: ISSUER, audiences: ['x', 'kube'], audienceMatchPolicy: 'MatchAny' } },
      { aud: ['y', 'kube'] },
      { name: 'amy' },
    ],
    [
      'accepts a token that satisfies the claim rules',
      {
        claimValidationRules: [
          { claim: 'hd', requiredValue: 'acme' },
          { expression: 'claims.exp - claims.iat < 1000.0' },
        ],
      },
      { hd: 'acme', iat: NOW },
      { name: 'amy' },
    ],
    [
      'accepts a token that satisfies a user rule',
      { userValidationRules: [{ expression: '!user.username.startsWith("system:")' }] },
      {},
      { name: 'amy' },
    ],
  ])('an issuer %s', async (_, more, given, user) => {
    expect((await provider(more).ask(sign(claims(given))))?.user).toMatchObject(user);
  });
});

describe('rejection of ID tokens', () => {
  const UNSUPPORTED =
    'oidc: verify token: oidc: id token signed with unsupported algorithm, expected ["ES256" "ES384" "ES512" "PS256" "PS384" "PS512" "RS256" "RS384" "RS512"]';
  const email = { claimMappings: { username: { claim: 'email', prefix: '' } } };
  test.each<[string, object, string, string]>([
    ['for another audience', {}, sign(claims({ aud: 'other' })), 'expected audience in ["kube"] got ["other"]'],
    [
      'that has expired',
      {},
      sign(claims({ exp: NOW - 1 })),
      'oidc: token is expired (Token Expiry: 2025-12-31 23:59:59 +0000 UTC)',
    ],
    ['without an expiry', {}, sign(without('exp')), 'token is expired'],
    ['that is not valid yet', {}, sign(claims({ nbf: NOW + 61 })), 'before the nbf'],
    [
      'signed with another key',
      {},
      sign(claims(), NEXT),
      'oidc: verify token: failed to verify signature: failed to verify id token signature',
    ],
    ['without a signature', {}, jwt({ alg: 'none' }, claims(), 'x'), `${UNSUPPORTED} got "none"`],
    [
      'signed with the public key as a secret',
      {},
      jwt(
        { alg: 'HS256', kid: verificationKey(PEM).keyId },
        claims(),
        createPublicKey(PEM).export({ type: 'spki', format: 'pem' }),
      ),
      `${UNSUPPORTED} got "HS256"`,
    ],
    ['without the name claim', {}, sign(without('sub')), 'claim not present'],
    ['whose email is not verified', email, sign(claims({ email: 'a@b', email_verified: false })), 'email not verified'],
    [
      'whose email_verified is text',
      email,
      sign(claims({ email: 'a@b', email_verified: 'true' })),
      'email not verified',
    ],
    [
      'with an empty name',
      { claimMappings: { username: { expression: 'claims.x' } } },
      sign(claims({ x: '' })),
      'empty username',
    ],
    [
      'with a name that is not text',
      { claimMappings: { username: { expression: 'claims.x' } } },
      sign(claims({ x: 1 })),
      'username claim expression must return a string',
    ],
    [
      'with invalid groups',
      { claimMappings: { username: { claim: 'sub', prefix: '' }, groups: { expression: 'claims.x' } } },
      sign(claims({ x: [1] })),
      'must return a string or a list of strings',
    ],
    [
      'without a required claim',
      { claimValidationRules: [{ claim: 'hd', requiredValue: 'acme' }] },
      sign(claims()),
      'required claim hd not present',
    ],
    [
      'with another value of a required claim',
      { claimValidationRules: [{ claim: 'hd', requiredValue: 'acme' }] },
      sign(claims({ hd: 'evil' })),
      'Got = evil, want = acme',
    ],
    [
      'that violates a claim rule',
      { claimValidationRules: [{ expression: 'claims.x == "y"', message: 'x is y' }] },
      sign(claims({ x: 'z' })),
      `validation expression 'claims.x == "y"' failed: x is y`,
    ],
    [
      'if a claim rule cannot be evaluated',
      { claimValidationRules: [{ expression: 'claims.x == "y"' }] },
      sign(claims()),
      'no such key',
    ],
    [
      'that violates a user rule',
      { userValidationRules: [{ expression: 'user.groups.size() > 0', message: 'no groups' }] },
      sign(claims()),
      'no groups',
    ],
  ])('rejects a token %s', async (_, more, token, message) => {
    await expect(provider(more).ask(token)).rejects.toMatchObject({
      code: 401,
      message: expect.stringContaining(message),
    });
  });

  test.each<[string, Json]>([
    ['sub', 7],
    ['sub', ['amy']],
    ['aud', ['kube', 7]],
    ['aud', { kube: true }],
    ['exp', 'never'],
    ['exp', ' 99999999999'],
    ['exp', '0xffffffffff'],
    ['exp', true],
    ['exp', [NOW + 600]],
    ['exp', null],
    ['exp', 1e300],
    ['iat', {}],
    ['nbf', [NOW]],
    ['nbf', true],
    ['nonce', 1],
    ['at_hash', false],
    ['_claim_names', ['groups']],
    ['_claim_names', { groups: 1 }],
    ['_claim_sources', { here: 'https://there' }],
    ['_claim_sources', { here: { endpoint: 1 } }],
  ])('rejects a token whose %s is %j', async (claim, value) => {
    await expect(provider().ask(sign(claims({ [claim]: value })))).rejects.toMatchObject({
      code: 401,
      message: expect.stringContaining('oidc: verify token: oidc: failed to unmarshal claims: '),
    });
  });

  test.each<[string, Json]>([
    ['exp', String(NOW + 600)],
    ['iat', NOW + 0.5],
    ['nbf', null],
    ['nonce', null],
  ])('accepts a token whose %s is %j, like Go', async (claim, value) => {
    expect((await provider().ask(sign(claims({ [claim]: value }))))?.user.name).toBe('amy');
  });

  test('ignores tokens of other issuers', async () => {
    const { ask, asked } = provider();
    expect(await ask(sign(claims({ iss: 'https://other' })))).toBeUndefined();
    expect(await ask('no.jwt')).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

describe('keys of an issuer', () => {
  test('are loaded on first use and again for an unknown key, at most every ten seconds', async () => {
    const { ask, asked, documents, clock } = provider();
    await ask(sign(claims()));
    await ask(sign(claims({ jti: '2' })));
    expect(asked).toHaveLength(2);
    documents[`${ISSUER}/keys`] = keySet(PEM, NEXT);
    await expect(ask(sign(claims(), NEXT))).rejects.toThrow('failed to verify');
    expect(asked).toHaveLength(2);
    clock.advance(10_000);
    expect((await ask(sign(claims(), NEXT)))?.user.name).toBe('amy');
    expect(asked).toHaveLength(4);
  });

  test('expire within an hour after their removal', async () => {
    const { ask, documents, clock } = provider();
    await ask(sign(claims({ exp: NOW + 9999 })));
    documents[`${ISSUER}/keys`] = keySet(NEXT);
    clock.advance(3_600_000);
    await expect(ask(sign(claims({ exp: NOW + 9999 })))).rejects.toThrow('failed to verify');
  });

  test('remain known while the issuer is unavailable', async () => {
    const { ask, documents, clock } = provider();
    await ask(sign(claims()));
    for (const url of Object.keys(documents)) documents[url] = undefined;
    clock.advance(3_600_000);
    expect(await ask(sign(claims({ exp: NOW + 9999 })))).toBeDefined();
  });

  test('are loaded again for the next token after a failure', async () => {
    const { ask, documents, clock } = provider();
    documents[`${ISSUER}/keys`] = undefined;
    await expect(ask(sign(claims()))).rejects.toThrow('authenticator not initialized: connection refused');
    documents[`${ISSUER}/keys`] = keySet(PEM);
    clock.advance(10_000);
    expect(await ask(sign(claims()))).toBeDefined();
  });

  test('are rejected if the issuer claims to be another one', async () => {
    const { ask, documents } = provider();
    documents[`${ISSUER}/.well-known/openid-configuration`] = { issuer: 'https://other', jwks_uri: `${ISSUER}/keys` };
    await expect(ask(sign(claims()))).rejects.toThrow('did not match the issuer URL returned by provider');
  });

  test('may be discovered at another URL', async () => {
    const issuer = { url: ISSUER, discoveryURL: 'https://inside.example/d', audiences: ['kube'] };
    const { ask, documents, asked } = provider({ issuer });
    documents['https://inside.example/d'] = { issuer: ISSUER, jwks_uri: `${ISSUER}/keys` };
    await ask(sign(claims()));
    expect(asked).toEqual(['https://inside.example/d', `${ISSUER}/keys`]);
  });

  test('are ignored if their type is unknown or they are for encryption', async () => {
    const { ask, documents } = provider();
    const { publicKey } = generateKeyPairSync('ed25519');
    const others = [
      { kty: 'oct', k: 'c2VjcmV0' },
      publicKey.export({ format: 'jwk' }),
      { ...jwkOf(verificationKey(NEXT)), use: 'enc' },
    ];
    documents[`${ISSUER}/keys`] = { keys: [...(others as JsonObject[]), jwkOf(verificationKey(PEM))] };
    expect(await ask(sign(claims()))).toBeDefined();
    await expect(ask(sign(claims(), NEXT))).rejects.toThrow('failed to verify');
  });
});

describe('the configuration of issuers', () => {
  const name = { username: { claim: 'sub', prefix: '' } };
  test.each<[object, string]>([
    [{ issuer: { audiences: ['a'] } }, 'jwt[0].issuer.url: Required value'],
    [{ issuer: { url: 'http://x', audiences: ['a'] } }, 'URL scheme must be https'],
    [{ issuer: { url: 'https://u:p@x', audiences: ['a'] } }, 'URL must not contain a username or password'],
    [{ issuer: { url: 'https://x?y', audiences: ['a'] } }, 'URL must not contain a query'],
    [{ issuer: { url: 'https://x#y', audiences: ['a'] } }, 'URL must not contain a fragment'],
    [{ issuer: { url: 'https://us', audiences: ['a'] } }, 'URL must not overlap with disallowed issuers: [https://us]'],
    [
      { issuer: { url: 'https://x', discoveryURL: 'https://x/', audiences: ['a'] } },
      'discoveryURL must be different from URL',
    ],
    [{ issuer: { url: 'https://x' } }, 'at least one jwt[0].issuer.audiences is required'],
    [
      { issuer: { url: 'https://x', audiences: ['a', 'b'] } },
      'audienceMatchPolicy must be MatchAny for multiple audiences',
    ],
    [
      { issuer: { url: 'https://x', audiences: ['a', 'a'], audienceMatchPolicy: 'MatchAny' } },
      'jwt[0].issuer.audiences[1]: Duplicate value',
    ],
    [
      { issuer: { url: 'https://x', audiences: ['a'], certificateAuthority: 'x' } },
      'jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>"',
    ],
    [{ claimMappings: {} }, 'jwt[0].claimMappings.username: Required value: claim or expression is required'],
    [{ claimMappings: { username: { claim: 'sub' } } }, 'prefix is required when claim is set'],
    [
      { claimMappings: { username: { claim: 'sub', prefix: '', expression: 'claims.sub' } } },
      "claim and expression can't both be set",
    ],
    [
      { claimMappings: { username: { prefix: '', expression: 'claims.sub' } } },
      'may not be specified when expression is set',
    ],
    [{ claimMappings: { username: { expression: 'claims.email' } } }, 'claims.email_verified must be used'],
    [
      { claimMappings: { username: { expression: 'claims.?email.orValue("")' } } },
      'claims.email_verified must be used',
    ],
    [{ claimMappings: { username: { expression: 'claims.' } } }, 'compilation failed'],
    [{ claimMappings: { ...name, extra: [{ key: 'x', valueExpression: '""' }] } }, 'must be a domain-prefixed path'],
    [
      { claimMappings: { ...name, extra: [{ key: 'a.k8s.io/x', valueExpression: '""' }] } },
      'reserved for Kubernetes use',
    ],
    [{ claimMappings: { ...name, extra: [{ key: 'a.org/X', valueExpression: '""' }] } }, 'must be lowercase'],
    [{ claimValidationRules: [{}] }, 'claim or expression is required'],
    [{ claimValidationRules: [{ claim: 'a', message: 'm' }] }, 'may not be specified when claim is set'],
    [{ claimValidationRules: [{ expression: 'claims.x' }] }, 'must evaluate to bool'],
    [{ claimValidationRules: [{ claim: 'a' }, { claim: 'a' }] }, 'claimValidationRules[1].claim: Duplicate value: "a"'],
    [{ userValidationRules: [{ expression: 'user.nobody == ""' }] }, "undefined field 'nobody'"],
  ])('rejects an issuer with %j', (more, message) => {
    const { errors } = validateConfiguration(parseConfiguration(JSON.stringify(document(more))), ['https://us']);
    expect(aggregate(errors)).toContain(message);
  });

  test('accepts an email that a rule verifies', () => {
    const claimMappings = { username: { expression: 'claims.email' } };
    configured({ claimMappings, claimValidationRules: [{ expression: 'claims.email_verified == true' }] });
  });

  test.each<[string, string]>([
    ['kind: AuthenticationConfiguration\napiVersion: apiserver.config.k8s.io/v2', 'apiVersion'],
    ['kind: Other\napiVersion: apiserver.config.k8s.io/v1', 'kind'],
    ['kind: AuthenticationConfiguration\napiVersion: apiserver.config.k8s.io/v1\njwts: []', '"jwts"'],
    ['{', ''],
  ])('rejects the text %j', (text, message) => {
    expect(() => parseConfiguration(text)).toThrow(message);
  });
});
