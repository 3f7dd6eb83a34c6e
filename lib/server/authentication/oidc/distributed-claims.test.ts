import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import { type JwtAuthenticator, parseConfiguration } from '../configuration.ts';
import type { GetRequest } from '../https-getter.ts';
import { jwkOf, signedJwt, signingKey, verificationKey } from '../key.ts';
import { aClock, aKey, START } from '../testing/world.ts';
import { DistributedClaims } from './distributed-claims.ts';
import { validateConfiguration } from './validate.ts';

const ISSUER = 'https://login.example';
const PLACE = 'https://groups.example/amy';
const PEM = aKey();
const OTHER = aKey();
const NOW = START / 1000;

function given(claim: string): JwtAuthenticator {
  const groups = claim === '' ? {} : { groups: { claim, prefix: '' } };
  const jwt = [
    {
      issuer: { url: ISSUER, audiences: ['kube'] },
      claimMappings: { username: { claim: 'sub', prefix: '' }, ...groups },
    },
  ];
  const document = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthenticationConfiguration', jwt };
  const [issuer] = validateConfiguration(parseConfiguration(JSON.stringify(document)), []).issuers;
  if (issuer === undefined) throw new Error('there is one');
  return issuer.given;
}

let answers: Map<string, { status: number; body: Buffer }>;
let asked: GetRequest[];
const text = (body: string, status = 200) => ({ status, body: Buffer.from(body) });
const signed = (more: JsonObject = {}, pem = PEM): string =>
  signedJwt(signingKey(pem), JSON.stringify({ iss: ISSUER, aud: 'kube', exp: NOW + 600, groups: ['a', 'b'], ...more }));

beforeEach(() => {
  asked = [];
  answers = new Map([
    [
      `${ISSUER}/.well-known/openid-configuration`,
      text(JSON.stringify({ issuer: ISSUER, jwks_uri: `${ISSUER}/keys` })),
    ],
    [`${ISSUER}/keys`, text(JSON.stringify({ keys: [jwkOf(verificationKey(PEM))] }))],
    [PLACE, text(signed())],
  ]);
});

const https = {
  async get(request: GetRequest) {
    asked.push(request);
    const answer = answers.get(request.url);
    if (answer === undefined) throw new TransportError('connection refused');
    return answer;
  },
};

const expand = (claims: JsonObject, claim = 'groups'): Promise<JsonObject> =>
  new DistributedClaims(given(claim), { https, clock: aClock() }).expand(claims);

const elsewhere = (source: JsonObject = {}): JsonObject => ({
  sub: 'amy',
  _claim_names: { groups: 'src' },
  _claim_sources: { src: { endpoint: PLACE, ...source } },
});

describe('groups in distributed claims', () => {
  test('come from the token at the endpoint', async () => {
    expect(await expand(elsewhere({ access_token: 'secret' }))).toMatchObject({ sub: 'amy', groups: ['a', 'b'] });
    expect(asked[0]).toMatchObject({ url: PLACE, headers: { authorization: 'Bearer secret' } });
  });

  test.each<[string, JsonObject, string?]>([
    ['groups in the token itself', { ...elsewhere(), groups: ['own'] }],
    ['an unmapped claim', elsewhere(), ''],
    ['another distributed claim', { ...elsewhere(), _claim_names: { roles: 'src' } }],
    ['a source without an endpoint', elsewhere({ endpoint: '', JWT: 'x' })],
    ['a token without claim names', { sub: 'amy' }],
  ])('keeps the claims for %s', async (_, claims, claim) => {
    expect(await expand(claims, claim)).toBe(claims);
    expect(asked).toEqual([]);
  });

  test.each<[string, JsonObject, string]>([
    ['invalid claim names', { ...elsewhere(), _claim_names: 'groups' }, 'error parsing distributed claim names'],
    ['no sources', { _claim_names: { groups: 'src' } }, 'no claim sources'],
    ['invalid sources', { ...elsewhere(), _claim_sources: [] }, 'could not parse claim sources'],
    ['a missing source', { ...elsewhere(), _claim_sources: {} }, 'a source src missing in _claims_sources'],
    [
      'an inherited property as its source',
      { ...elsewhere(), _claim_names: { groups: 'toString' } },
      'missing in _claims_sources',
    ],
    ['an endpoint without TLS', elsewhere({ endpoint: 'http://groups.example' }), 'is no HTTPS URL'],
    ['an unreachable endpoint', elsewhere({ endpoint: `${PLACE}/none` }), 'connection refused'],
  ])('rejects a token with %s', async (_, claims, message) => {
    await expect(expand(claims)).rejects.toThrow(message);
  });

  test.each<[string, ReturnType<typeof text>, string]>([
    ['an error', text('', 403), 'error while getting distributed claim JWT: 403'],
    ['a redirect', text('', 302), 'error while getting distributed claim JWT: 302'],
    ['no token', text('hello'), 'getting untrusted issuer from endpoint'],
    ['a token signed with another key', text(signed({}, OTHER)), 'failed to verify id token signature'],
    ['a token for another audience', text(signed({ aud: 'others' })), 'expected audience in ["kube"] got ["others"]'],
    ['an expired token', text(signed({ exp: NOW - 1 })), 'token is expired'],
    ['a token of an issuer without keys', text(signed({ iss: 'https://nobody.example' })), 'connection refused'],
    ['a token without the claim', text(signed({ groups: undefined as never })), 'did not contain claim: groups'],
  ])('rejects an endpoint that returns %s', async (_, answer, message) => {
    answers.set(PLACE, answer);
    await expect(expand(elsewhere())).rejects.toThrow(message);
  });
});
