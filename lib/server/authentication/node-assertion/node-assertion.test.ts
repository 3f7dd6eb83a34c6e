import 'reflect-metadata';
import { createHmac, createPublicKey, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { beforeAll, describe, expect, test } from 'vitest';
import { type KeyPair, newSigner, privatePem } from '#lib/controllers/certificates/new-signer.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { ShownRequest } from '../authenticator.ts';
import { signedWith, signingKey } from '../key.ts';
import { aClock, jwt, START } from '../testing/world.ts';
import { nodeAssertions } from './authenticator.ts';
import { BEGINNING, digestOf, TYPE, type UnsignedRequest } from './claims.ts';
import { signedAssertion } from './sign.ts';

const NODE = 'O=system:nodes, CN=system:node:n1';
const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: 'SHA-256',
} as const;
const DAY = 86_400_000;
const BODY = Buffer.from('{}');
const REQUEST: UnsignedRequest = {
  method: 'POST',
  path: '/api/v1/nodes',
  query: new URLSearchParams('b=2&a=1'),
  body: BODY,
};
const SHOWN: ShownRequest = { method: 'POST', path: '/api/v1/nodes', query: REQUEST.query, host: 'api.example.com' };
const TERMS = { cluster: 'prod', host: 'api.example.com', now: START };

let authority: KeyPair;
let pair: KeyPair;
beforeAll(async () => {
  x509.cryptoProvider.set(webcrypto);
  authority = await newSigner(new Date(START));
  pair = await certified({});
});

interface Made {
  readonly by?: KeyPair;
  readonly subject?: string;
  readonly usages?: readonly string[];
  readonly algorithm?: typeof EC | typeof RSA;
  readonly from?: number;
  readonly until?: number;
  readonly ca?: true;
}

/** A certificate of the authority, by default for the node n1 as the signer issues it. */
async function certified({ by = authority, subject = NODE, usages, algorithm = EC, ...made }: Made): Promise<KeyPair> {
  const root = new x509.X509Certificate(by.certificate);
  const { privateKey } = signingKey(by.key);
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const der = privateKey.export({ type: 'pkcs8', format: 'der' });
  const certificate = await x509.X509CertificateGenerator.create({
    notBefore: new Date(made.from ?? START - DAY),
    notAfter: new Date(made.until ?? START + DAY),
    serialNumber: '01',
    subject,
    issuer: root.subject,
    publicKey: keys.publicKey,
    signingKey: await webcrypto.subtle.importKey('pkcs8', der, EC, false, ['sign']),
    signingAlgorithm: EC,
    extensions: [
      new x509.BasicConstraintsExtension(made.ca === true, undefined, true),
      ...(usages?.length === 0
        ? []
        : [new x509.ExtendedKeyUsageExtension([...(usages ?? [x509.ExtendedKeyUsage.clientAuth])])]),
      await x509.AuthorityKeyIdentifierExtension.create(root.publicKey),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await privatePem(keys.privateKey) };
}

/** An authenticator of assertions, and the tokens that were passed on. */
function anAuthenticator() {
  const clock = aClock();
  const asked: string[] = [];
  let reads = 0;
  const options = {
    cluster: 'prod',
    host: 'abc.example.net:443',
    authority: async () => (reads++, authority.certificate),
  };
  const authenticate = nodeAssertions(options, clock, async (token) => void asked.push(token));
  const known = (token: string, request?: ShownRequest) =>
    authenticate(token, { ...defined({ request }), warn: () => {} });
  return { clock, known, asked, reads: () => reads };
}

const der = ({ certificate }: KeyPair): string => new x509.X509Certificate(certificate).toString('base64');
const seconds = START / 1000;
const CLAIMS = {
  aud: ['prod', 'api.example.com'],
  iat: seconds,
  exp: seconds + 60,
  htm: 'POST',
  htu: '/api/v1/nodes?a=1&b=2',
  digest: digestOf(BODY),
};

/** An assertion with custom claims, header or certificate. */
function assertion(claims: object = {}, header: object = {}, of: KeyPair = pair): string {
  const key = signingKey(of.key);
  return signedWith(
    key,
    { typ: TYPE, alg: key.algorithm, x5c: [der(of)], ...header },
    JSON.stringify({ ...CLAIMS, ...claims }),
  );
}

test('authenticates a signed request like its certificate and binds it to the body', async () => {
  const { known, asked } = anAuthenticator();
  const sha256 = Buffer.from(await new x509.X509Certificate(pair.certificate).getThumbprint('SHA-256')).toString('hex');
  expect(await known(signedAssertion(pair, REQUEST, TERMS), SHOWN)).toEqual({
    user: {
      name: 'system:node:n1',
      groups: ['system:nodes'],
      extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${sha256}`] },
    },
    bodyDigest: digestOf(BODY),
  });
  expect(asked).toEqual([]);
});

test.each<[string, Partial<UnsignedRequest>, Partial<ShownRequest>, object]>([
  ['the server’s own host', {}, { host: '10.0.0.7:8080' }, { host: 'abc.example.net' }],
  ['a host with a port', {}, { host: 'API.example.com:6443' }, { host: 'api.example.com:6443' }],
  ['parameters in another order', {}, { query: new URLSearchParams('a=1&b=2') }, {}],
  ['another encoding of the path', { path: '/api/v1/nodes/a%3Ab' }, { path: '/api/v1/nodes/a:b' }, {}],
  ['no query', { query: new URLSearchParams() }, { query: new URLSearchParams() }, {}],
  ['a clock that is 5 s behind', {}, {}, { now: START + 5000 }],
])('accepts a request with %s', async (_, signed, shown, terms) => {
  const token = signedAssertion(pair, { ...REQUEST, ...signed }, { ...TERMS, ...terms });
  expect((await anAuthenticator().known(token, { ...SHOWN, ...shown }))?.user.name).toBe('system:node:n1');
});

test('signs with RS256 for an RSA key', async () => {
  const rsa = await certified({ algorithm: RSA });
  expect((await anAuthenticator().known(signedAssertion(rsa, REQUEST, TERMS), SHOWN))?.user.name).toBe(
    'system:node:n1',
  );
});

test('accepts the same request again within one minute', async () => {
  const { known, clock, reads } = anAuthenticator();
  const token = signedAssertion(pair, REQUEST, TERMS);
  for (let i = 0; i < 3; i++) expect(await known(token, SHOWN)).toBeDefined();
  clock.advance(59_999);
  expect(await known(token, SHOWN)).toBeDefined();
  clock.advance(1);
  await expect(known(token, SHOWN)).rejects.toMatchObject({ code: 401 });
  expect(reads(), 'the authority is read once').toBe(1);
});

describe('rejection with a fixed message and without other authenticators', () => {
  type Sent = readonly [token: string, request?: Partial<ShownRequest>];
  const signed = (terms: object = {}): string => signedAssertion(pair, REQUEST, { ...TERMS, ...terms });
  const by = async (made: Made): Promise<Sent> => [assertion({}, {}, await certified(made))];
  const publicPem = (): string => createPublicKey(pair.certificate).export({ type: 'spki', format: 'pem' }).toString();
  const [header, claims] = [{ typ: TYPE, x5c: [''] }, CLAIMS];

  function sharedSecret(): string {
    const [first, second] = jwt({ typ: TYPE, alg: 'HS256', x5c: [der(pair)] }, claims).split('.');
    const mac = createHmac('sha256', publicPem()).update(`${first}.${second}`).digest('base64url');
    return `${first}.${second}.${mac}`;
  }

  test.each<[string, () => Sent | Promise<Sent>]>([
    ['another method', () => [signed(), { method: 'PUT' }]],
    ['another path', () => [signed(), { path: '/api/v1/pods' }]],
    ['an encoded slash', () => [signed(), { path: '/api/v1%2Fnodes' }]],
    ['another query', () => [signed(), { query: new URLSearchParams('a=1') }]],
    ['another cluster', () => [signed({ cluster: 'test' })]],
    ['another host', () => [signed({ host: 'other.example.com' })]],
    ['no host', () => [assertion({ aud: ['prod', ''] }), { host: '' }]],
    ['only one audience', () => [assertion({ aud: 'prod' })]],
    ['three audiences', () => [assertion({ aud: ['prod', 'api.example.com', 'x'] })]],
    ['an age of 60 s', () => [signed({ now: START - 60_000 })]],
    ['an issue time in the future', () => [signed({ now: START + 6000 })]],
    ['a lifetime above the maximum', () => [assertion({ exp: seconds + 61 })]],
    ['no expiry', () => [assertion({ exp: undefined })]],
    ['no issue time', () => [assertion({ iat: undefined })]],
    ['an expiry that is text', () => [assertion({ exp: String(seconds + 60) })]],
    ['no digest', () => [assertion({ digest: undefined })]],
    ['the algorithm none', () => [jwt({ typ: TYPE, alg: 'none', x5c: [der(pair)] }, claims, 'x')]],
    ['no signature', () => [jwt({ typ: TYPE, alg: 'none', x5c: [der(pair)] }, claims)]],
    ['HS256 with the public key', () => [sharedSecret()]],
    ['RS256 and an EC leaf', () => [assertion({}, { alg: 'RS256' })]],
    ['ES384 and a P-256 leaf', () => [assertion({}, { alg: 'ES384' })]],
    ['PS256 and an RSA leaf', async () => [assertion({}, { alg: 'PS256' }, await certified({ algorithm: RSA }))]],
    ['the signature of another key', async () => [assertion({}, { x5c: [der(pair)] }, await certified({}))]],
    [
      'changed claims',
      () => [
        signed().replace(
          /\.[^.]+\./,
          `.${Buffer.from(JSON.stringify({ ...claims, iat: seconds + 1 })).toString('base64url')}.`,
        ),
      ],
    ],
    ['the certificate of an administrator', () => by({ subject: 'O=system:masters, CN=admin' })],
    [
      'a certificate of an administrator and a node',
      () => by({ subject: 'O=system:masters, O=system:nodes, CN=system:node:n1' }),
    ],
    ['no organization', () => by({ subject: 'CN=system:node:n1' })],
    ['two names', () => by({ subject: 'O=system:nodes, CN=admin, CN=system:node:n1' })],
    ['a name without a node', () => by({ subject: 'O=system:nodes, CN=system:node:' })],
    ['a name that is not a node’s', () => by({ subject: 'O=system:nodes, CN=admin' })],
    ['an additional attribute in the subject', () => by({ subject: 'O=system:nodes, OU=ops, CN=system:node:n1' })],
    ['a leaf of another authority', async () => by({ by: await newSigner(new Date(START)) })],
    ['a leaf signed by a node’s certificate', async () => by({ by: await certified({}) })],
    ['the certificate of the authority', () => [assertion({}, {}, authority)]],
    ['a leaf that may sign certificates', () => by({ ca: true })],
    ['an expired leaf', () => by({ until: START - 1000 })],
    ['a leaf that is not valid yet', () => by({ from: START + 1000 })],
    ['a server certificate', () => by({ usages: [x509.ExtendedKeyUsage.serverAuth] })],
    ['a certificate without extended key usage', () => by({ usages: [] })],
    ['no certificate', () => [assertion({}, { x5c: [] })]],
    ['an x5c that is text', () => [assertion({}, { x5c: der(pair) })]],
    ['an x5c that is not a certificate', () => [assertion({}, { x5c: ['AAAA'] })]],
    ['an x5c in PEM', () => [assertion({}, { x5c: [pair.certificate] })]],
    ['the authority in x5c', () => [assertion({}, { x5c: [der(pair), der(authority)] })]],
    ['100 certificates in x5c', () => [assertion({}, { x5c: Array.from({ length: 100 }, () => der(pair)) })]],
    [
      '99 empty certificates in x5c',
      () => [assertion({}, { x5c: [der(pair), ...Array.from({ length: 99 }, () => '')] })],
    ],
    ['an oversized header', () => [assertion({}, { more: 'x'.repeat(9000) })]],
    ['a critical header', () => [assertion({}, { crit: ['exp'] })]],
    [
      'two type fields',
      () => [
        assertion({}, {}).replace(BEGINNING, `${BEGINNING}${Buffer.from('"typ":"JWT",   ').toString('base64url')}`),
      ],
    ],
    ['only the header', () => [BEGINNING]],
    ['no claims', () => [`${jwt(header, {}).split('.')[0]}.e30.e30`]],
  ])('rejects an assertion with %s', async (_, make) => {
    const [token, request] = await make();
    expect(token.startsWith(BEGINNING)).toBe(true);
    const { known, asked } = anAuthenticator();
    await expect(known(token, { ...SHOWN, ...request })).rejects.toMatchObject({
      code: 401,
      message: 'invalid node assertion',
    });
    expect(asked).toEqual([]);
  });

  test('rejects a review of an assertion without a request', async () => {
    const { known, asked } = anAuthenticator();
    await expect(known(signed())).rejects.toThrow('invalid node assertion');
    expect(asked).toEqual([]);
  });
});

test('passes any other token to the other authenticators', async () => {
  const { known, asked, reads } = anAuthenticator();
  const other = jwt({ alg: 'ES256', typ: TYPE }, CLAIMS);
  expect([await known('secret', SHOWN), await known(other, SHOWN)]).toEqual([undefined, undefined]);
  expect([asked, reads()]).toEqual([['secret', other], 0]);
});

test('looks for a missing authority every ten seconds and does not cache an error', async () => {
  const clock = aClock();
  const answers = [undefined, new Error('no table'), authority.certificate];
  let reads = 0;
  const read = async (): Promise<string | undefined> => {
    const answer = answers[reads++];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const options = { cluster: 'prod', host: 'api.example.com', authority: read };
  const authenticate = nodeAssertions(options, clock, async () => undefined);
  const ask = () => {
    const token = signedAssertion(pair, REQUEST, { ...TERMS, now: clock.now() });
    return authenticate(token, { request: SHOWN, warn: () => {} });
  };
  for (let i = 0; i < 3; i++) await expect(ask()).rejects.toThrow('invalid node assertion');
  expect(reads).toBe(1);
  clock.advance(10_000);
  await expect(ask()).rejects.toThrow('no table');
  expect((await ask())?.user.name).toBe('system:node:n1');
  await ask();
  expect(reads).toBe(3);
});
