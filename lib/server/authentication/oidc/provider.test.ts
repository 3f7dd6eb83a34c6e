import { constants, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { parseJwt } from '../jwt.ts';
import { aClock, jwt } from '../testing/world.ts';
import { isCheap, Provider } from './provider.ts';

const ISSUER = 'https://login.example';
const CLAIMS = { iss: ISSUER };
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwkOf = (key: KeyObject): object => key.export({ format: 'jwk' });

/** An issuer that publishes these keys. */
function issuer(...keys: readonly object[]): Provider {
  const documents: Readonly<Record<string, object>> = {
    [`${ISSUER}/.well-known/openid-configuration`]: { issuer: ISSUER, jwks_uri: `${ISSUER}/keys` },
    [`${ISSUER}/keys`]: { keys },
  };
  const get = async ({ url }: { url: string }) => ({ status: 200, body: Buffer.from(JSON.stringify(documents[url])) });
  const given = { url: ISSUER, discoveryURL: '', certificateAuthority: '', audiences: [], audienceMatchPolicy: '' };
  return new Provider({ ...given, egressSelectorType: '' }, { https: { get }, clock: aClock() });
}

/** A token with this header, as text or as an object, signed with the key. */
function signed(header: object | string, key: KeyObject = rsa.privateKey, more: object = {}): string {
  const text = typeof header === 'string' ? header : JSON.stringify(header);
  const body = [text, JSON.stringify(CLAIMS)].map((part) => Buffer.from(part).toString('base64url')).join('.');
  const signature = sign('sha256', Buffer.from(body), { key, dsaEncoding: 'ieee-p1363', ...more });
  return `${body}.${signature.toString('base64url')}`;
}

async function isSigned(token: string, ...keys: readonly object[]): Promise<boolean> {
  const read = parseJwt(token);
  return read !== undefined && issuer(...keys).signed(read);
}

// Each result is that of gopkg.in/go-jose/go-jose.v2 2.6.3.
test.each<[string, object | string, boolean]>([
  ['an empty list of critical extensions', { alg: 'RS256', crit: [] }, true],
  ['a critical b64 that is true', { alg: 'RS256', crit: ['b64'], b64: true }, true],
  ['a null crit', { alg: 'RS256', crit: null }, true],
  ['a crit that is text', { alg: 'RS256', crit: 'exp' }, false],
  ['an unknown critical field', { alg: 'RS256', crit: ['exp'], exp: 1 }, false],
  ['unencoded claims', { alg: 'RS256', b64: false }, false],
  ['a duplicate algorithm', '{"alg":"none","alg":"RS256"}', false],
  ['ALG instead of alg', { ALG: 'RS256' }, false],
  ['a key ID that is a number', { alg: 'RS256', kid: 1 }, false],
  ['an unknown field', { alg: 'RS256', other: [1] }, true],
])('verifies a token like go-jose if its header has %s', async (_, header, expected) => {
  expect(await isSigned(signed(header), jwkOf(rsa.publicKey))).toBe(expected);
});

test.each([
  ['no bytes', 0],
  ['one byte', 1],
  ["the digest's length", constants.RSA_PSS_SALTLEN_DIGEST],
  ['the maximum length', constants.RSA_PSS_SALTLEN_MAX_SIGN],
])('verifies PSS with a salt of %s', async (_, saltLength) => {
  const token = signed({ alg: 'PS256' }, rsa.privateKey, { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength });
  expect(await isSigned(token, jwkOf(rsa.publicKey))).toBe(true);
});

test.each([
  [1024, true],
  [1023, false],
  [512, false],
])('an RSA key of %i bits verifies: %s', async (modulusLength, expected) => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength });
  expect(await isSigned(signed({ alg: 'RS256' }, privateKey), jwkOf(publicKey))).toBe(expected);
});

test('ignores a private key that an issuer publishes', async () => {
  expect(await isSigned(signed({ alg: 'RS256' }), jwkOf(rsa.privateKey))).toBe(false);
});

describe('an RSA key that is slow to verify with', () => {
  const exponent = 4_294_967_291;
  const large = createPublicKey({ key: { kty: 'RSA', n: 'f'.repeat(1400), e: 'AQAB' }, format: 'jwk' });

  test('is ignored because of its exponent', async () => {
    const own = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: exponent });
    const keys = [jwkOf(own.publicKey), jwkOf(rsa.publicKey)];
    expect(await isSigned(signed({ alg: 'RS256' }, own.privateKey), ...keys)).toBe(false);
    expect(await isSigned(signed({ alg: 'RS256' }), ...keys)).toBe(true);
  });

  test('is ignored because of its modulus', () => {
    expect(large.asymmetricKeyDetails?.modulusLength).toBeGreaterThan(8192);
    expect([large, rsa.publicKey].map(isCheap)).toEqual([false, true]);
  });
});

test('lets other requests run after each of 100 keys tried for a token without a key ID', async () => {
  const odd = (): Buffer => Buffer.concat([Buffer.of(0xff), randomBytes(254), Buffer.of(1)]);
  const keys = Array.from({ length: 101 }, () => ({ kty: 'RSA', n: odd().toString('base64url'), e: 'f____w' }));
  const read = parseJwt(jwt({ alg: 'RS256' }, CLAIMS, Buffer.alloc(256, 1)));
  if (read === undefined) throw new Error('it is a token');
  const answer = issuer(...keys).signed(read);
  let turns = 0;
  while ((await Promise.race([answer, turn('a turn')])) === 'a turn') turns++;
  expect(await answer).toBe(false);
  expect(turns).toBeGreaterThanOrEqual(100);
});

test.each<[string, number, string]>([
  ['redirects to a metadata address', 302, 'answered 302'],
  ['returns no object', 200, 'answered no object'],
])('requests no keys from another server if an issuer %s', async (_, status, message) => {
  const asked: string[] = [];
  const get = async ({ url }: { url: string }) => {
    asked.push(url);
    return { status, body: Buffer.from('[]') };
  };
  const given = { url: ISSUER, discoveryURL: '', certificateAuthority: '', audiences: [], audienceMatchPolicy: '' };
  const provider = new Provider({ ...given, egressSelectorType: '' }, { https: { get }, clock: aClock() });
  const read = parseJwt(signed({ alg: 'RS256' }));
  if (read === undefined) throw new Error('it is a token');
  await expect(provider.signed(read)).rejects.toThrow(message);
  expect(asked).toEqual([`${ISSUER}/.well-known/openid-configuration`]);
});
