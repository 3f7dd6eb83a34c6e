import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { newSigner } from '#lib/controllers/certificates/new-signer.ts';
import { keyPairFault } from './key-pair.ts';
import { secretStrategy } from './secret.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const one = await newSigner(NOW);
const other = await newSigner(NOW);
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const block = (type: string, bytes = Buffer.from('x')): string =>
  `-----BEGIN ${type}-----\n${bytes.toString('base64')}\n-----END ${type}-----\n`;
const sec1 = createPrivateKey(one.key).export({ type: 'sec1', format: 'pem' }) as string;

test.each<[string, string, string, string | undefined]>([
  ['a matching key', one.certificate, one.key, undefined],
  ['a key in SEC 1 encoding', one.certificate, sec1, undefined],
  ['parameters before the key', one.certificate, block('EC PARAMETERS') + sec1, undefined],
  ['no certificate', 'x', one.key, 'tls: failed to find any PEM data in certificate input'],
  [
    'certificate and key swapped',
    one.key,
    one.certificate,
    'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
  ],
  [
    'other PEM blocks as the certificate',
    block('A') + block('B'),
    one.key,
    'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [A B]',
  ],
  ['no key', one.certificate, '', 'tls: failed to find any PEM data in key input'],
  [
    'the certificate as the key',
    one.certificate,
    one.certificate,
    'tls: found a certificate rather than a key in the PEM for the private key',
  ],
  [
    'other PEM blocks as the key',
    one.certificate,
    block('EC PARAMETERS'),
    'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [EC PARAMETERS]',
  ],
  ['a malformed certificate', block('CERTIFICATE'), one.key, 'x509: malformed certificate'],
  ['a malformed key', one.certificate, block('PRIVATE KEY'), 'tls: failed to parse private key'],
  ['the key of another certificate', one.certificate, other.key, 'tls: private key does not match public key'],
  [
    'a key of another algorithm',
    one.certificate,
    rsa.export({ type: 'pkcs8', format: 'pem' }) as string,
    'tls: private key type does not match public key type',
  ],
])('checks a serving pair with %s', (_, certificate, key, fault) => {
  expect(keyPairFault(Buffer.from(certificate), Buffer.from(key))).toBe(fault);
});

test('warns about an invalid key pair only in a TLS secret', () => {
  const secret = (type: string) => ({ metadata: {}, type, data: { 'tls.crt': 'eA==', 'tls.key': 'eA==' } });
  expect(secretStrategy.warnings?.(secret('kubernetes.io/tls'))).toEqual([
    'tls: failed to find any PEM data in certificate input',
  ]);
  expect(secretStrategy.warnings?.(secret('Opaque'))).toEqual([]);
});
