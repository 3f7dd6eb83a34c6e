import { describe, expect, test } from 'vitest';
import type { ClientCertificate } from './authenticator.ts';
import { type AuthenticationOptions, authentication } from './chain.ts';
import { aClock, aLookup, bearer, START, shown } from './testing/world.ts';

const BOB = { name: 'bob', uid: '7', groups: ['dev'] };
const REQUEST_HEADERS = {
  allowedNames: ['front'],
  usernameHeaders: ['X-Remote-User'],
  uidHeaders: ['X-Remote-Uid'],
  groupHeaders: ['X-Remote-Group'],
  extraHeaderPrefixes: ['X-Remote-Extra-'],
};
const certificate = (more: Partial<ClientCertificate> = {}): ClientCertificate => ({
  commonName: 'alice',
  organizations: ['ops'],
  signedBy: ['client'],
  sha256: 'ab12',
  notAfter: START + 1000,
  ...more,
});
const PROXY = certificate({ commonName: 'front', organizations: [], signedBy: ['proxy'] });

function chain(options: Partial<AuthenticationOptions> = {}, clock = aClock()) {
  const given = { tokens: new Map([['secret', BOB]]), requestHeaders: REQUEST_HEADERS, ...options };
  return authentication(given, { clock, lookup: aLookup({}) });
}

const CREDENTIAL = 'authentication.kubernetes.io/credential-id';
const ALICE = { name: 'alice', groups: ['ops', 'system:authenticated'], extra: { [CREDENTIAL]: ['X509SHA256=ab12'] } };
const web = (protocols: string) => ({ upgrade: 'websocket', 'sec-websocket-protocol': protocols });
const encoded = (token: string): string =>
  `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`;

describe('users of accepted credentials', () => {
  test.each([
    ['a request without credentials', shown(), { name: 'system:anonymous', groups: ['system:unauthenticated'] }],
    ['a bearer token', bearer('secret'), { ...BOB, groups: ['dev', 'system:authenticated'] }],
    ['a bearer scheme in any case', shown({ authorization: 'bEaRer secret' }), { name: 'bob' }],
    ['a WebSocket token', shown(web(`v5.channel.k8s.io, ${encoded('secret')}`)), { name: 'bob' }],
    ['a token after two spaces', shown({ authorization: 'Bearer  secret' }), { name: 'system:anonymous' }],
    ['another authorization scheme', shown({ authorization: 'Basic c2VjcmV0' }), { name: 'system:anonymous' }],
    ['a client certificate', shown({}, { clientCertificate: certificate() }), ALICE],
    ['a certificate and a token', bearer('secret', { clientCertificate: certificate() }), ALICE],
    [
      'a token and an unknown certificate',
      bearer('secret', { clientCertificate: certificate({ signedBy: [] }) }),
      { name: 'bob' },
    ],
    [
      'a certificate without a name',
      shown({}, { clientCertificate: certificate({ commonName: '' }) }),
      { name: 'system:anonymous' },
    ],
    [
      'a trusted proxy',
      shown(
        {
          'x-remote-user': 'carol',
          'x-remote-uid': '9',
          'x-remote-group': ['g1', '', 'g2'],
          'x-remote-extra-acme.org%2fproject': ['a', 'b'],
        },
        { clientCertificate: PROXY },
      ),
      {
        name: 'carol',
        uid: '9',
        groups: ['g1', 'g2', 'system:authenticated'],
        extra: { 'acme.org/project': ['a', 'b'] },
      },
    ],
    [
      'a client with proxy headers and its own certificate',
      shown({ 'x-remote-user': 'carol' }, { clientCertificate: certificate() }),
      ALICE,
    ],
    ['proxy headers without a certificate', shown({ 'x-remote-user': 'carol' }), { name: 'system:anonymous' }],
  ])('returns the user of %s', async (_, credentials, user) => {
    expect((await chain()(credentials))?.user).toMatchObject(user);
  });

  test('keeps the group system:unauthenticated that a proxy sends', async () => {
    const told = shown(
      { 'x-remote-user': 'x', 'x-remote-group': 'system:unauthenticated' },
      { clientCertificate: PROXY },
    );
    expect((await chain()(told))?.user.groups).toEqual(['system:unauthenticated']);
  });
});

test('uses the first of repeated proxy headers, even if it is empty', async () => {
  const said = (user: string[]) =>
    shown({ 'x-remote-user': user, 'x-remote-uid': ['', '0'] }, { clientCertificate: PROXY });
  const known = await chain()(said(['carol', 'root']));
  expect([known?.user.name, known?.user.uid]).toEqual(['carol', undefined]);
  await expect(chain()(said(['', 'root']))).rejects.toThrow('unknown authority');
});

describe('rejection of credentials', () => {
  test.each([
    ['an unknown token', bearer('guessed'), 'invalid bearer token'],
    ['a token of more than 64 KiB', bearer('x'.repeat(65_537)), 'invalid bearer token'],
    ['two WebSocket tokens', shown(web(`${encoded('a')},${encoded('b')}`)), 'multiple base64.bearer'],
    [
      'a WebSocket token that is not base64url',
      shown(web('base64url.bearer.authorization.k8s.io.a=b')),
      'invalid base64url',
    ],
    ['an unknown certificate', shown({}, { clientCertificate: certificate({ signedBy: [] }) }), 'unknown authority'],
    ['an expired certificate', shown({}, { clientCertificate: certificate({ notAfter: START - 1 }) }), 'expired'],
    ['the certificate of a proxy without user headers', shown({}, { clientCertificate: PROXY }), 'unknown authority'],
    [
      'a proxy with another name',
      shown({ 'x-remote-user': 'carol' }, { clientCertificate: { ...PROXY, commonName: 'other' } }),
      'subject with cn=other is not in the allowed list',
    ],
    [
      'a proxy with an expired certificate',
      shown({ 'x-remote-user': 'carol' }, { clientCertificate: { ...PROXY, notAfter: START - 1 } }),
      'expired',
    ],
  ])('returns 401 for %s', async (_, credentials, message) => {
    await expect(chain()(credentials)).rejects.toMatchObject({ code: 401, message: expect.stringContaining(message) });
  });

  test('reports the errors of all credentials', async () => {
    const credentials = bearer('guessed', { clientCertificate: certificate({ signedBy: [] }) });
    await expect(chain()(credentials)).rejects.toThrow(
      '[x509: certificate signed by unknown authority, invalid bearer token]',
    );
  });
});

describe('access for anonymous requests', () => {
  test.each([
    [undefined, '/api', 'system:anonymous'],
    [{ paths: ['/livez'] }, '/livez', 'system:anonymous'],
    [{ paths: ['/livez'] }, '/livez/', undefined],
    [{ paths: ['/livez'] }, '/api', undefined],
    [false as const, '/livez', undefined],
  ])('the option %j applies to the path %s', async (anonymous, path, name) => {
    const known = await chain(anonymous === undefined ? {} : { anonymous })(shown({}, { path }));
    expect(known?.user.name).toBe(name);
  });
});

test('uses the server’s audiences for a token without audiences', async () => {
  const serviceAccounts = { issuers: ['https://here'], keys: async () => [] };
  const known = chain({ serviceAccounts });
  const audiences = (asked: string[]) => known(bearer('secret', { audiences: asked }));
  expect((await audiences(['https://here', 'other']))?.audiences).toEqual(['https://here']);
  await expect(audiences(['other'])).rejects.toThrow('invalid bearer token');
});
