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
  ['a pair', one.certificate, one.key, undefined],
  ['with a key in its own encoding', one.certificate, sec1, undefined],
  ['with parameters before the key', one.certificate, block('EC PARAMETERS') + sec1, undefined],
  ['no certificate', 'x', one.key, 'tls: failed to find any PEM data in certificate input'],
  [
    'one for the other',
    one.key,
    one.certificate,
    'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
  ],
  [
    'something else',
    block('A') + block('B'),
    one.key,
    'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [A B]',
  ],
  ['no key', one.certificate, '', 'tls: failed to find any PEM data in key input'],
  [
    'twice the certificate',
    one.certificate,
    one.certificate,
    'tls: found a certificate rather than a key in the PEM for the private key',
  ],
  [
    'something else for the key',
    one.certificate,
    block('EC PARAMETERS'),
    'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [EC PARAMETERS]',
  ],
  ['a certificate of nothing', block('CERTIFICATE'), one.key, 'x509: malformed certificate'],
  ['a key of nothing', one.certificate, block('PRIVATE KEY'), 'tls: failed to parse private key'],
  ["another's key", one.certificate, other.key, 'tls: private key does not match public key'],
  [
    'a key of another algorithm',
    one.certificate,
    rsa.export({ type: 'pkcs8', format: 'pem' }) as string,
    'tls: private key type does not match public key type',
  ],
])('%s', (_, certificate, key, fault) => {
  expect(keyPairFault(Buffer.from(certificate), Buffer.from(key))).toBe(fault);
});

test('a secret that holds no pair is warned of, where it says that it holds one', () => {
  const secret = (type: string) => ({ metadata: {}, type, data: { 'tls.crt': 'eA==', 'tls.key': 'eA==' } });
  expect(secretStrategy.warnings?.(secret('kubernetes.io/tls'))).toEqual([
    'tls: failed to find any PEM data in certificate input',
  ]);
  expect(secretStrategy.warnings?.(secret('Opaque'))).toEqual([]);
});
