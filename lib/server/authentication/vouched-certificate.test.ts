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

/** The user of a request with these headers. Empty for none, or the error message of a rejection. */
async function who(headers: Record<string, string>, secret: string | undefined): Promise<string> {
  const clientCertificate = vouchedCertificate(headers, secret);
  const shown = { ...asked, ...defined({ clientCertificate }) };
  const known = await x509(clock)(shown).catch((error: Error) => error.message);
  return typeof known === 'string' ? known : (known?.user.name ?? '');
}

const UNKNOWN = 'x509: certificate signed by unknown authority';

describe('a certificate in headers', () => {
  test.each<[string, Record<string, string>, string | undefined, string]>([
    ['the right one', { [ORIGIN_HEADER]: SECRET }, SECRET, 'amy'],
    ['another one', { [ORIGIN_HEADER]: `${SECRET}x` }, SECRET, UNKNOWN],
    ['an empty one', { [ORIGIN_HEADER]: '' }, SECRET, UNKNOWN],
    ['none', {}, SECRET, UNKNOWN],
    ['none and no distribution', {}, undefined, UNKNOWN],
    ['any but no distribution', { [ORIGIN_HEADER]: SECRET }, undefined, UNKNOWN],
    ['an empty one but no distribution', { [ORIGIN_HEADER]: '' }, undefined, UNKNOWN],
  ])('accepts a certificate only with the right secret: %s', async (_, headers, secret, name) => {
    expect(await who({ ...headers, [PEM]: encodeURIComponent(pem), [PRESENT]: '1' }, secret)).toBe(name);
  });

  test.each<[string, Record<string, string>, string]>([
    ['no headers', {}, ''],
    ['an absent certificate', { 'cloudfront-viewer-cert-present': '0' }, ''],
    ['only a subject header', { 'cloudfront-viewer-cert-subject': 'CN=amy,O=system:masters' }, ''],
    ['text that is not a certificate', { [PEM]: 'hello', [PRESENT]: '1' }, UNKNOWN],
    ['invalid percent-encoding', { [PEM]: '%', [PRESENT]: '1' }, UNKNOWN],
  ])('returns no user for %s from the distribution', async (_, headers, name) => {
    expect(await who({ ...headers, [ORIGIN_HEADER]: SECRET }, SECRET)).toBe(name);
  });

  test.each<[string, Record<string, string>]>([
    ['if none was presented', { [PRESENT]: '0' }],
    ['if no header states whether one was presented', {}],
    ['if the header is repeated', { [PRESENT]: '0, 1' }],
  ])('rejects a certificate that the viewer wrote %s', async (_, headers) => {
    expect(await who({ ...headers, [PEM]: encodeURIComponent(pem), [ORIGIN_HEADER]: SECRET }, SECRET)).toBe(UNKNOWN);
  });

  test('rejects two certificates in one header', async () => {
    const both = `${encodeURIComponent(pem)}, ${encodeURIComponent(pem)}`;
    expect(await who({ [PRESENT]: '1', [PEM]: both, [ORIGIN_HEADER]: SECRET }, SECRET)).toBe(UNKNOWN);
  });

  test.each(['cloudfront-viewer-cert-subject', 'cloudfront-viewer-cert-present', 'cloudfront-viewer-cert-sha256'])(
    'rejects a request with only %s',
    async (name) => {
      expect(await who({ [name]: 'CN=amy' }, SECRET)).toBe(UNKNOWN);
    },
  );
});

test('describes the subject and the expiry of a certificate', () => {
  expect(certificateOf(pem, ['client'])).toMatchObject({
    commonName: 'amy',
    organizations: ['ops', 'dev'],
    signedBy: ['client'],
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  });
  expect(certificateOf(pem, []).notAfter).toBeGreaterThan(clock.now());
});

test('uses the last of several common names', async () => {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const made = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: ['first'] }, { CN: ['last'] }],
    keys: await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']),
    signingAlgorithm: algorithm,
  });
  expect(certificateOf(made.toString('pem'), []).commonName).toBe('last');
});
