import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { X509CertificateGenerator } from '@peculiar/x509';
import { beforeAll, describe, expect, test } from 'vitest';
import { defined } from '#lib/machinery/defined.ts';
import { newAuthority } from '#local/certs.ts';
import { certificateOf, ORIGIN_HEADER, vouchedCertificate } from './vouched-certificate.ts';
import { x509 } from './x509.ts';

const SECRET = 'a-secret-of-the-origin';
const PEM = 'cloudfront-viewer-cert-pem';
const PRESENT = 'cloudfront-viewer-cert-present';
let pem = '';

beforeAll(async () => {
  const authority = await newAuthority(new Date('2026-01-01T00:00:00Z'));
  pem = (await authority.issue({ name: 'amy', organizations: ['ops', 'dev'] })).certificate;
});

const clock = { now: () => Date.parse('2026-01-02T00:00:00Z'), monotonic: () => 0, sleep: async () => {} };
const asked = { path: '/', headers: () => [], headerNames: [], warn: () => {} };

/** The user of a request with these headers; '' for none, and the refusal where it is refused. */
async function who(headers: Record<string, string>, secret: string | undefined): Promise<string> {
  const clientCertificate = vouchedCertificate(headers, secret);
  const shown = { ...asked, ...defined({ clientCertificate }) };
  const known = await x509(clock)(shown).catch((error: Error) => error.message);
  return typeof known === 'string' ? known : (known?.user.name ?? '');
}

const UNKNOWN = 'x509: certificate signed by unknown authority';

describe('a certificate in headers', () => {
  test.each<[string, Record<string, string>, string | undefined, string]>([
    ['with proof of origin', { [ORIGIN_HEADER]: SECRET }, SECRET, 'amy'],
    ['with another secret', { [ORIGIN_HEADER]: `${SECRET}x` }, SECRET, UNKNOWN],
    ['with an empty secret', { [ORIGIN_HEADER]: '' }, SECRET, UNKNOWN],
    ['bare', {}, SECRET, UNKNOWN],
    ['bare, where no distribution is', {}, undefined, UNKNOWN],
    ['with any secret, where no distribution is', { [ORIGIN_HEADER]: SECRET }, undefined, UNKNOWN],
    ['with an empty secret, where no distribution is', { [ORIGIN_HEADER]: '' }, undefined, UNKNOWN],
  ])('%s', async (_, headers, secret, name) => {
    expect(await who({ ...headers, [PEM]: encodeURIComponent(pem), [PRESENT]: '1' }, secret)).toBe(name);
  });

  test.each<[string, Record<string, string>, string]>([
    ['of nobody', {}, ''],
    ['that is not there', { 'cloudfront-viewer-cert-present': '0' }, ''],
    ['of which only the subject is told', { 'cloudfront-viewer-cert-subject': 'CN=amy,O=system:masters' }, ''],
    ['that is none', { [PEM]: 'hello', [PRESENT]: '1' }, UNKNOWN],
    ['that is not encoded', { [PEM]: '%', [PRESENT]: '1' }, UNKNOWN],
  ])('%s, with proof of origin', async (_, headers, name) => {
    expect(await who({ ...headers, [ORIGIN_HEADER]: SECRET }, SECRET)).toBe(name);
  });

  test.each<[string, Record<string, string>]>([
    ['and showed none', { [PRESENT]: '0' }],
    ['and of whom it is not told whether he showed one', {}],
    ['twice over', { [PRESENT]: '0, 1' }],
  ])('of a viewer who wrote it himself %s is refused, with proof of origin', async (_, headers) => {
    expect(await who({ ...headers, [PEM]: encodeURIComponent(pem), [ORIGIN_HEADER]: SECRET }, SECRET)).toBe(UNKNOWN);
  });

  test('before the one that was shown is refused', async () => {
    const both = `${encodeURIComponent(pem)}, ${encodeURIComponent(pem)}`;
    expect(await who({ [PRESENT]: '1', [PEM]: both, [ORIGIN_HEADER]: SECRET }, SECRET)).toBe(UNKNOWN);
  });

  test.each(['cloudfront-viewer-cert-subject', 'cloudfront-viewer-cert-present', 'cloudfront-viewer-cert-sha256'])(
    'bare %s is refused',
    async (name) => {
      expect(await who({ [name]: 'CN=amy' }, SECRET)).toBe(UNKNOWN);
    },
  );
});

test('a certificate tells who holds it, and until when', () => {
  expect(certificateOf(pem, ['client'])).toMatchObject({
    commonName: 'amy',
    organizations: ['ops', 'dev'],
    signedBy: ['client'],
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  });
  expect(certificateOf(pem, []).notAfter).toBeGreaterThan(clock.now());
});

test('of several common names the last is who holds it', async () => {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const made = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: ['first'] }, { CN: ['last'] }],
    keys: await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']),
    signingAlgorithm: algorithm,
  });
  expect(certificateOf(made.toString('pem'), []).commonName).toBe('last');
});
