import { generateKeyPairSync, type KeyPairKeyObjectResult, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { requestError } from './certificate-request.ts';

const KEYS = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ECDSA = '2a8648ce3d040302';
const RSA = '2a864886f70d01010b';
const COMMON_NAME = '550403';

const element = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  return Buffer.concat([
    length < 0x100 ? Buffer.of(tag, 0x81, length) : Buffer.of(tag, 0x82, length >> 8, length & 255),
    content,
  ]);
};
/** An element whose length is encoded in four bytes, however short it is. */
const stretched = (tag: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.of(tag, 0x84, 0, 0, 0, content.length), content]);
const sequence = (...parts: readonly Buffer[]): Buffer => element(0x30, ...parts);
const set = (...parts: readonly Buffer[]): Buffer => element(0x31, ...parts);
const identifier = (hex: string): Buffer => element(6, Buffer.from(hex, 'hex'));
const bytes = (...all: readonly number[]): Buffer => Buffer.from(all);
/** A distinguished name with one attribute. */
const name = (type: string, value: Buffer): Buffer => sequence(set(sequence(identifier(type), value)));
const text = (tag: number, content: Buffer | string): Buffer => name(COMMON_NAME, element(tag, Buffer.from(content)));

interface Parts {
  readonly keys?: KeyPairKeyObjectResult;
  readonly version?: Buffer;
  readonly subject?: Buffer;
  readonly attributes?: Buffer;
  readonly algorithm?: string;
  /** Encodes the request's info. */
  readonly info?: (content: Buffer) => Buffer;
  readonly unusedBits?: number;
  readonly behind?: Buffer;
}

/** A PEM request signed with its own key. */
function request(parts: Parts): string {
  const { keys = KEYS, version = element(2, bytes(0)), subject = text(12, 'amy'), attributes = element(0xa0) } = parts;
  const { algorithm = ECDSA, info = (content) => element(0x30, content), unusedBits = 0, behind = bytes() } = parts;
  const spki = keys.publicKey.export({ type: 'spki', format: 'der' });
  const signed = info(Buffer.concat([version, subject, spki, attributes]));
  const signature = element(3, bytes(unusedBits), sign('sha256', signed, keys.privateKey));
  const whole = Buffer.concat([sequence(signed, sequence(identifier(algorithm)), signature), behind]);
  return `-----BEGIN CERTIFICATE REQUEST-----\n${whole.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
}

// Results of crypto/x509 in Go 1.26.
test.each<[string, Parts]>([
  ['with an ECDSA key', {}],
  ['with an RSA key', { keys: generateKeyPairSync('rsa', { modulusLength: 2048 }), algorithm: RSA }],
  ['without a subject', { subject: sequence() }],
  ['with another version', { version: element(2, bytes(1)) }],
  [
    'with every type of text',
    {
      subject: sequence(
        ...[18, 19, 22].map((tag) => set(sequence(identifier(COMMON_NAME), element(tag, Buffer.from('12'))))),
      ),
    },
  ],
  ['with two-byte characters', { subject: text(30, bytes(0, 97)) }],
  ['with a name that is not text', { subject: text(2, bytes(1)) }],
])('accepts a request %s', (_, parts) => {
  expect(requestError(request(parts))).toBeUndefined();
});

test.each<[string, Parts, string]>([
  ['with trailing bytes', { behind: bytes(0) }, 'asn1: syntax error: trailing data'],
  [
    'with leading zeros in a length',
    { info: (content) => stretched(0x30, content) },
    'asn1: structure error: superfluous leading zeros in length',
  ],
  ['whose info is a set', { info: set }, 'asn1: structure error'],
  ['whose version is text', { version: element(12, bytes(0)) }, 'asn1: structure error'],
  [
    'whose version is not minimally encoded',
    { version: element(2, bytes(0, 0)) },
    'asn1: structure error: integer not minimally-encoded',
  ],
  ['without attributes', { attributes: bytes() }, 'asn1: structure error'],
  ['with unused bits in the signature', { unusedBits: 1 }, 'asn1: syntax error: invalid padding bits in BIT STRING'],
  [
    'with a short RSA key',
    { keys: generateKeyPairSync('rsa', { modulusLength: 1023 }), algorithm: RSA },
    'crypto/rsa: 1023-bit keys are insecure',
  ],
  [
    'with a curve that Go lacks',
    { keys: generateKeyPairSync('ec', { namedCurve: 'secp256k1' }) },
    'x509: unsupported elliptic curve',
  ],
  [
    'with an algorithm for another key type',
    { algorithm: RSA },
    'x509: signature algorithm specifies an RSA public key, but have public key of type *ecdsa.PublicKey',
  ],
  ['with an unknown algorithm', { algorithm: '2a0304' }, 'x509: cannot verify signature: algorithm unimplemented'],
])('rejects a request %s', (_, parts, message) => {
  expect(requestError(request(parts))).toContain(message);
});

test.each<[string, Buffer, string]>([
  [
    'a type that is not minimally encoded',
    name('80550403', element(12, Buffer.from('a'))),
    'integer is not minimally encoded',
  ],
  ['a type of zero length', name('', element(12)), 'zero length OBJECT IDENTIFIER'],
  ['a truncated type', name('5584', element(12)), 'truncated base 128 integer'],
  ['a type that is too large', name('55888080808003', element(12)), 'base 128 integer too large'],
  ['an attribute without a value', sequence(set(sequence(identifier(COMMON_NAME)))), 'sequence truncated'],
  ['an attribute outside a set', sequence(sequence(identifier(COMMON_NAME), element(12))), 'asn1: structure error'],
  [
    'a length with leading zeros',
    name(COMMON_NAME, stretched(12, Buffer.from('a'))),
    'superfluous leading zeros in length',
  ],
  ['a length that is not minimal', name(COMMON_NAME, bytes(12, 0x81, 1, 97)), 'non-minimal length'],
  ['text that is not UTF-8', text(12, bytes(0xff)), 'invalid text'],
  ['a letter in a numeric string', text(18, 'a'), 'invalid text'],
  ['a character outside of PrintableString', text(19, 'a@b'), 'invalid text'],
  ['a character outside of ASCII', text(22, bytes(0xe9)), 'invalid text'],
  ['a truncated character', text(30, bytes(0, 97, 0)), 'invalid text'],
  ['a lone surrogate', text(30, bytes(0xd8, 0)), 'invalid text'],
])('rejects a subject with %s', (_, subject, message) => {
  expect(requestError(request({ subject }))).toContain(message);
});
