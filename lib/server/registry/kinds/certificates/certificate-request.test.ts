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
/** With a length of four bytes, however short it is. */
const stretched = (tag: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.of(tag, 0x84, 0, 0, 0, content.length), content]);
const sequence = (...parts: readonly Buffer[]): Buffer => element(0x30, ...parts);
const set = (...parts: readonly Buffer[]): Buffer => element(0x31, ...parts);
const identifier = (hex: string): Buffer => element(6, Buffer.from(hex, 'hex'));
const bytes = (...all: readonly number[]): Buffer => Buffer.from(all);
/** A name of one attribute. */
const name = (type: string, value: Buffer): Buffer => sequence(set(sequence(identifier(type), value)));
const text = (tag: number, content: Buffer | string): Buffer => name(COMMON_NAME, element(tag, Buffer.from(content)));

interface Parts {
  readonly keys?: KeyPairKeyObjectResult;
  readonly version?: Buffer;
  readonly subject?: Buffer;
  readonly attributes?: Buffer;
  readonly algorithm?: string;
  /** How the info is put together. */
  readonly info?: (content: Buffer) => Buffer;
  readonly unusedBits?: number;
  readonly behind?: Buffer;
}

/** A request that its own key has signed, PEM. */
function request(parts: Parts): string {
  const { keys = KEYS, version = element(2, bytes(0)), subject = text(12, 'amy'), attributes = element(0xa0) } = parts;
  const { algorithm = ECDSA, info = (content) => element(0x30, content), unusedBits = 0, behind = bytes() } = parts;
  const spki = keys.publicKey.export({ type: 'spki', format: 'der' });
  const signed = info(Buffer.concat([version, subject, spki, attributes]));
  const signature = element(3, bytes(unusedBits), sign('sha256', signed, keys.privateKey));
  const whole = Buffer.concat([sequence(signed, sequence(identifier(algorithm)), signature), behind]);
  return `-----BEGIN CERTIFICATE REQUEST-----\n${whole.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
}

// As crypto/x509 of Go 1.26 takes them.
test.each<[string, Parts]>([
  ['of an ECDSA key', {}],
  ['of an RSA key', { keys: generateKeyPairSync('rsa', { modulusLength: 2048 }), algorithm: RSA }],
  ['without a subject', { subject: sequence() }],
  ['of another version', { version: element(2, bytes(1)) }],
  [
    'with every type of text',
    {
      subject: sequence(
        ...[18, 19, 22].map((tag) => set(sequence(identifier(COMMON_NAME), element(tag, Buffer.from('12'))))),
      ),
    },
  ],
  ['with two bytes a letter', { subject: text(30, bytes(0, 97)) }],
  ['with a name that is no text', { subject: text(2, bytes(1)) }],
])('takes a request %s', (_, parts) => {
  expect(requestError(request(parts))).toBeUndefined();
});

test.each<[string, Parts, string]>([
  ['with bytes behind it', { behind: bytes(0) }, 'asn1: syntax error: trailing data'],
  [
    'with a long length',
    { info: (content) => stretched(0x30, content) },
    'asn1: structure error: superfluous leading zeros in length',
  ],
  ['whose info is a set', { info: set }, 'asn1: structure error'],
  ['whose version is a text', { version: element(12, bytes(0)) }, 'asn1: structure error'],
  [
    'whose version has two forms',
    { version: element(2, bytes(0, 0)) },
    'asn1: structure error: integer not minimally-encoded',
  ],
  ['without attributes', { attributes: bytes() }, 'asn1: structure error'],
  ['with bits that are not used', { unusedBits: 1 }, 'asn1: syntax error: invalid padding bits in BIT STRING'],
  [
    'of a short RSA key',
    { keys: generateKeyPairSync('rsa', { modulusLength: 1023 }), algorithm: RSA },
    'crypto/rsa: 1023-bit keys are insecure',
  ],
  [
    'of a curve that Go lacks',
    { keys: generateKeyPairSync('ec', { namedCurve: 'secp256k1' }) },
    'x509: unsupported elliptic curve',
  ],
  [
    'of an algorithm for another key',
    { algorithm: RSA },
    'x509: signature algorithm specifies an RSA public key, but have public key of type *ecdsa.PublicKey',
  ],
  ['of an unknown algorithm', { algorithm: '2a0304' }, 'x509: cannot verify signature: algorithm unimplemented'],
])('refuses a request %s', (_, parts, message) => {
  expect(requestError(request(parts))).toContain(message);
});

test.each<[string, Buffer, string]>([
  ['type of two forms', name('80550403', element(12, Buffer.from('a'))), 'integer is not minimally encoded'],
  ['type of no number', name('', element(12)), 'zero length OBJECT IDENTIFIER'],
  ['type that is cut off', name('5584', element(12)), 'truncated base 128 integer'],
  ['type that is too large', name('55888080808003', element(12)), 'base 128 integer too large'],
  ['attribute without a value', sequence(set(sequence(identifier(COMMON_NAME)))), 'sequence truncated'],
  ['attribute outside a set', sequence(sequence(identifier(COMMON_NAME), element(12))), 'asn1: structure error'],
  ['long length', name(COMMON_NAME, stretched(12, Buffer.from('a'))), 'superfluous leading zeros in length'],
  ['length of two bytes', name(COMMON_NAME, bytes(12, 0x81, 1, 97)), 'non-minimal length'],
  ['text that is no UTF-8', text(12, bytes(0xff)), 'invalid text'],
  ['letter among digits', text(18, 'a'), 'invalid text'],
  ['character that is not printable', text(19, 'a@b'), 'invalid text'],
  ['letter beyond ASCII', text(22, bytes(0xe9)), 'invalid text'],
  ['half a letter', text(30, bytes(0, 97, 0)), 'invalid text'],
  ['half a pair of surrogates', text(30, bytes(0xd8, 0)), 'invalid text'],
])('refuses a subject with a %s', (_, subject, message) => {
  expect(requestError(request({ subject }))).toContain(message);
});
