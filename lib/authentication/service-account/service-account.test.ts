import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { signedJwt, signingKey, verificationKey } from '../key.ts';
import { aClock, aKey, aLookup, jwt, START } from '../testing/world.ts';
import { boundTokens } from './bound-token.ts';
import { serviceAccountIdentity } from './identity.ts';
import { legacyClaims, legacyTokens } from './legacy-token.ts';

const PEM = aKey();
const OLD = aKey('rsa');
const STRANGER = aKey();
const ISSUER = 'https://here';
const NOW = START / 1000;
const object = (name: string, namespace = 'ns', more: JsonObject = {}, uid = `${name}-uid`): JsonObject => ({
  metadata: { name, ...(namespace === '' ? {} : { namespace }), uid, ...more },
});
const GONE = { deletionTimestamp: new Date(START - 61_000).toISOString() };
const GOING = { deletionTimestamp: new Date(START + 30_000).toISOString() };
const reference = (name: string, uid = `${name}-uid`): JsonObject => ({ name, uid });
const WORLD = {
  serviceaccounts: [object('sa'), object('gone', 'ns', GONE), object('going', 'ns', GOING)],
  pods: [object('pod'), object('pod-gone', 'ns', GONE)],
  secrets: [object('secret')],
  nodes: [object('node', '')],
};

const own = (more: JsonObject = {}): JsonObject => ({ namespace: 'ns', serviceaccount: reference('sa'), ...more });
const claims = (more: JsonObject = {}, ours: JsonObject = {}): JsonObject => ({
  iss: ISSUER,
  sub: 'system:serviceaccount:ns:sa',
  aud: ['api'],
  iat: NOW,
  nbf: NOW,
  exp: NOW + 600,
  jti: 'j1',
  'kubernetes.io': own(ours),
  ...more,
});

const verifying = [PEM, OLD].map(verificationKey);
const keys = async () => verifying;
const sign = (content: JsonObject, pem = PEM): string => signedJwt(signingKey(pem), JSON.stringify(content));

function bound(token: string, { audiences, later = 0 }: { audiences?: string[]; later?: number } = {}) {
  const clock = aClock();
  clock.advance(later);
  const authenticate = boundTokens({ issuers: [ISSUER], keys, audiences: ['api'], lookup: aLookup(WORLD), clock });
  return authenticate(token, { warn: () => {}, ...(audiences === undefined ? {} : { audiences }) });
}

const EXTRA = 'authentication.kubernetes.io/';
describe('a token of TokenRequest', () => {
  test.each<[string, string, JsonObject]>([
    ['of an account', sign(claims()), { [`${EXTRA}credential-id`]: ['JTI=j1'] }],
    [
      'of a pod on a node',
      sign(claims({}, { pod: reference('pod'), node: reference('other') })),
      { [`${EXTRA}pod-name`]: ['pod'], [`${EXTRA}pod-uid`]: ['pod-uid'], [`${EXTRA}node-name`]: ['other'] },
    ],
    [
      'of a node',
      sign(claims({}, { node: reference('node') })),
      { [`${EXTRA}node-name`]: ['node'], [`${EXTRA}node-uid`]: ['node-uid'] },
    ],
    ['of a secret', sign(claims({}, { secret: reference('secret') })), {}],
    ['of a key that signed before', sign(claims(), OLD), {}],
    ['of nobody in particular is for this server', sign(claims({ aud: [] })), {}],
    ['of a time that is over for less than a minute', sign(claims({ exp: NOW - 59 })), {}],
  ])('%s', async (_, token, extra) => {
    const known = await bound(token);
    expect(known?.user).toMatchObject({
      name: 'system:serviceaccount:ns:sa',
      uid: 'sa-uid',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:ns'],
      extra,
    });
  });

  test.each<[string, string, string]>([
    [
      'of a stranger, with our key named',
      jwt({ alg: 'ES256', kid: verifying[0]?.keyId }, claims(), Buffer.alloc(64)),
      'error in cryptographic primitive',
    ],
    ['of another key', sign(claims(), STRANGER), 'no keys found'],
    ['without an algorithm', jwt({ alg: 'none' }, claims(), 'x'), 'error in cryptographic primitive'],
    [
      'signed with a public key as a secret',
      jwt({ alg: 'HS256' }, claims(), createPublicKey(OLD).export({ type: 'spki', format: 'pem' })),
      'error in cryptographic primitive',
    ],
    [
      'for someone else',
      sign(claims({ aud: ['other'] })),
      'token audiences ["other"] is invalid for the target audiences ["api"]',
    ],
    ['that is over', sign(claims({ exp: NOW - 61 })), 'service account token has expired'],
    ['that is not valid yet', sign(claims({ nbf: NOW + 61 })), 'service account token is not valid yet'],
    ['of the future', sign(claims({ iat: NOW + 61 })), 'service account token is issued in the future'],
    [
      'of an account that is not there',
      sign(claims({}, { serviceaccount: reference('never') })),
      'serviceaccounts "never" not found',
    ],
    [
      'of an account that was there',
      sign(claims({}, { serviceaccount: reference('gone') })),
      'service account ns/gone has been deleted',
    ],
    [
      'of an account of the same name',
      sign(claims({}, { serviceaccount: reference('sa', 'before') })),
      'service account UID (sa-uid) does not match claim (before)',
    ],
    [
      'of a pod that is not there',
      sign(claims({}, { pod: reference('never') })),
      'service account token has been invalidated',
    ],
    [
      'of a pod that was there',
      sign(claims({}, { pod: reference('pod-gone') })),
      'service account token has been invalidated',
    ],
    [
      'of a pod of the same name',
      sign(claims({}, { pod: reference('pod', 'x') })),
      'Pod UID (pod-uid) does not match service account pod ref claim (x)',
    ],
    [
      'of a secret of the same name',
      sign(claims({}, { secret: reference('secret', 'x') })),
      'secret UID (secret-uid) does not match service account secret ref claim (x)',
    ],
    [
      'of a node that is not there',
      sign(claims({}, { node: reference('never') })),
      'service account token has been invalidated',
    ],
  ])('%s is refused', async (_, token, message) => {
    await expect(bound(token)).rejects.toMatchObject({ code: 401, message: expect.stringContaining(message) });
  });

  test('of an account that goes in a minute is known still', async () => {
    expect(await bound(sign(claims({}, { serviceaccount: reference('going') })))).toBeDefined();
  });

  test.each([
    ['another issuer', sign(claims({ iss: 'https://there' }))],
    ['no JWT', 'a.b.c'],
    ['one that asks for what nobody here knows', jwt({ alg: 'ES256', crit: ['x'] }, claims(), 'x')],
    ['arrays in place of objects', jwt([], claims(), 'x')],
  ])('%s is none of ours', async (_, token) => {
    expect(await bound(token)).toBeUndefined();
  });

  test('is for the audiences that were asked for and that it names', async () => {
    const token = sign(claims({ aud: ['a', 'b'] }));
    expect((await bound(token, { audiences: ['b', 'c'] }))?.audiences).toEqual(['b']);
    await expect(bound(token, { audiences: ['c'] })).rejects.toThrow('is invalid for the target audiences');
  });
});

const secretOf = (token: string, labels: JsonObject = {}): JsonObject => ({
  ...object('secret', 'ns', { labels }),
  data: { token: Buffer.from(token).toString('base64') },
});

describe('a token of a Secret', () => {
  const account: JsonObject = object('sa');
  const token = sign(legacyClaims(account, 'ns', 'secret'));
  function legacy(shown: string, secret: JsonObject = secretOf(token), owner: JsonObject = account) {
    const labels: Record<string, string>[] = [];
    const warnings: string[] = [];
    const authenticate = legacyTokens({
      keys,
      audiences: ['api'],
      lookup: aLookup({ serviceaccounts: [owner], secrets: [secret] }),
      clock: aClock(),
      label: async (_, given) => void labels.push(given),
    });
    return { known: authenticate(shown, { warn: (text) => void warnings.push(text) }), labels, warnings };
  }

  test('is its account, and is marked as used once a day', async () => {
    const { known, labels, warnings } = legacy(token);
    expect((await known)?.user).toEqual({
      name: 'system:serviceaccount:ns:sa',
      uid: 'sa-uid',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:ns'],
    });
    expect(labels).toEqual([{ 'kubernetes.io/legacy-token-last-used': '2026-01-01' }]);
    expect(warnings).toEqual([]);
    const again = legacy(token, secretOf(token, labels[0]));
    await again.known;
    expect(again.labels).toEqual([]);
  });

  test('one that was made for the account is warned of', async () => {
    const { known, warnings } = legacy(token, secretOf(token), { ...account, secrets: [{ name: 'secret' }] });
    await known;
    expect(warnings).toHaveLength(1);
  });

  test.each<[string, string, JsonObject, JsonObject, string]>([
    ['whose Secret holds another', token, secretOf('other'), account, "Token does not match server's copy"],
    ['whose Secret is not there', token, object('elsewhere'), account, 'Token has been invalidated'],
    [
      'whose account is another',
      token,
      secretOf(token),
      object('sa', 'ns', {}, 'new'),
      'ServiceAccount UID (new) does not match claim (sa-uid)',
    ],
    ['whose account is not there', token, secretOf(token), object('none'), 'serviceaccounts "sa" not found'],
    ['whose account goes', token, secretOf(token), object('sa', 'ns', GOING), 'ServiceAccount ns/sa has been deleted'],
    [
      'marked as invalid',
      token,
      secretOf(token, { 'kubernetes.io/legacy-token-invalid-since': '2025-01-01' }),
      account,
      'has been marked invalid',
    ],
    [
      'that says another subject',
      sign({ ...legacyClaims(account, 'ns', 'secret'), sub: 'system:serviceaccount:ns:admin' }),
      secretOf(token),
      account,
      'sub claim is invalid',
    ],
    [
      'without a subject',
      sign({ ...legacyClaims(account, 'ns', 'secret'), sub: '' }),
      secretOf(token),
      account,
      'sub claim is missing',
    ],
  ])('%s is refused', async (_, shown, secret, owner, message) => {
    await expect(legacy(shown, secret, owner).known).rejects.toMatchObject({
      code: 401,
      message: expect.stringContaining(message),
    });
  });
});

describe('an identity', () => {
  test('publishes each key once, and nothing that is private', async () => {
    const { metadata, keys: all } = serviceAccountIdentity(
      { issuers: [ISSUER], signingKey: PEM, verificationKeys: [PEM, OLD] },
      '127.0.0.1:6443',
    );
    expect(await all()).toHaveLength(2);
    const { keys: published } = JSON.parse((await metadata?.keySet()) ?? '') as { keys: JsonObject[] };
    expect(published.map((key) => Object.keys(key).toSorted())).toEqual([
      ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
      ['alg', 'e', 'kid', 'kty', 'n', 'use'],
    ]);
    expect(JSON.parse((await metadata?.configuration()) ?? '')).toEqual({
      issuer: ISSUER,
      jwks_uri: 'https://127.0.0.1:6443/openid/v1/jwks',
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256', 'RS256'],
    });
  });

  test.each(['kubernetes', 'http://here', 'https://here?x=1', 'https://here#x'])(
    '%s is no issuer to look up',
    (issuer) => {
      const given = { issuers: [issuer] as const, signingKey: PEM };
      expect(serviceAccountIdentity(given, 'here').metadata).toBeUndefined();
    },
  );

  test('reads its key when a token of its own is shown, again where it could not, and never twice', async () => {
    const reads: string[] = [];
    const read = async (): Promise<string> => {
      reads.push('read');
      if (reads.length === 1) throw new Error('the store is away');
      return PEM;
    };
    const identity = serviceAccountIdentity({ issuers: [ISSUER], signingKey: read }, 'here');
    const authenticate = boundTokens({ ...identity, lookup: aLookup(WORLD), clock: aClock() });
    const shown = (token: string) => authenticate(token, { warn: () => {} });
    expect(await shown('k8s-aws-v1.abc')).toBeUndefined();
    expect(await shown(sign(claims({ iss: 'https://there' })))).toBeUndefined();
    expect(reads).toEqual([]);
    const own = await identity.tokenIssuer.sign(claims({ aud: [ISSUER] })).catch((error: Error) => error.message);
    expect(own).toBe('the store is away');
    const token = await identity.tokenIssuer.sign(claims({ aud: [ISSUER] }));
    expect((await shown(token))?.user.name).toBe('system:serviceaccount:ns:sa');
    expect(reads).toHaveLength(2);
  });

  test('a key on another curve signs no tokens', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(() => verificationKey(pem)).toThrow('a key of tokens is RSA, or on the curve');
  });
});
