import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import {
  BIT_STRING,
  children,
  DerError,
  type Element,
  INTEGER,
  OBJECT_IDENTIFIER,
  readElement,
  SEQUENCE,
  tagged,
} from './der.ts';
import { checkName } from './distinguished-name.ts';
import { pemBlocks } from './pem.ts';

interface Algorithm {
  /** The digest's name in node:crypto. Null for a key type that includes its digest. */
  readonly digest: string | null;
  readonly key: string;
}

/** Signature algorithms, keyed by the hex of their object identifier. */
const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  '2a864886f70d010105': { digest: 'sha1', key: 'rsa' },
  '2a864886f70d01010b': { digest: 'sha256', key: 'rsa' },
  '2a864886f70d01010c': { digest: 'sha384', key: 'rsa' },
  '2a864886f70d01010d': { digest: 'sha512', key: 'rsa' },
  '2a8648ce3d0401': { digest: 'sha1', key: 'ec' },
  '2a8648ce3d040302': { digest: 'sha256', key: 'ec' },
  '2a8648ce3d040303': { digest: 'sha384', key: 'ec' },
  '2a8648ce3d040304': { digest: 'sha512', key: 'ec' },
  '2b6570': { digest: null, key: 'ed25519' },
};
/** Go's names of key types, keyed by the name in node:crypto. */
const KEYS: Readonly<Record<string, string>> = { rsa: '*rsa', ec: '*ecdsa', ed25519: 'ed25519' };
const NAMES: Readonly<Record<string, string>> = { rsa: 'an RSA', ec: 'an ECDSA', ed25519: 'an Ed25519' };
/** The curves that Go supports, named as in node:crypto. */
const CURVES: readonly string[] = ['secp224r1', 'prime256v1', 'secp384r1', 'secp521r1'];
const UNIMPLEMENTED = 'x509: cannot verify signature: algorithm unimplemented';
/** The minimum RSA modulus in bits. Go rejects signatures of shorter keys. */
const MIN_MODULUS = 1024;
/** The tag of a request's attributes, the last part of its info. */
const ATTRIBUTES = 0xa0;

/** The error of a PEM-encoded PKCS#10 request. Undefined if it is well-formed and signed by its own key. */
export function requestError(pem: string): string | undefined {
  const [block] = pemBlocks(pem);
  if (block?.type !== 'CERTIFICATE REQUEST') return 'PEM block type must be CERTIFICATE REQUEST';
  try {
    const request = readElement(block.bytes);
    if (request.whole.length < block.bytes.length) return 'asn1: syntax error: trailing data';
    return signatureError(request);
  } catch (error) {
    if (error instanceof DerError) return error.message;
    throw error;
  }
}

function signatureError(request: Element): string | undefined {
  const [info, algorithm, signature] = children(tagged(request, SEQUENCE));
  const key = publicKeyOf(tagged(info, SEQUENCE));
  const [identifier] = children(tagged(algorithm, SEQUENCE));
  const name = tagged(identifier, OBJECT_IDENTIFIER).content.toString('hex');
  const { content } = tagged(signature, BIT_STRING);
  // The first byte is the number of unused bits.
  if (content[0] !== 0) return 'asn1: syntax error: invalid padding bits in BIT STRING';
  const known = Object.hasOwn(ALGORITHMS, name) ? ALGORITHMS[name] : undefined;
  if (known === undefined) return UNIMPLEMENTED;
  const wrong = keyError(key, known);
  if (wrong !== undefined) return wrong;
  const isSigned = verify(known.digest, tagged(info, SEQUENCE).whole, key, content.subarray(1));
  return isSigned ? undefined : 'x509: signature verification failed';
}

function keyError(key: KeyObject, { key: wanted }: Algorithm): string | undefined {
  const { asymmetricKeyType: type = '', asymmetricKeyDetails: { namedCurve, modulusLength } = {} } = key;
  if (!Object.hasOwn(KEYS, type)) return UNIMPLEMENTED;
  if (type === 'ec' && !CURVES.includes(namedCurve ?? '')) return 'x509: unsupported elliptic curve';
  if (type !== wanted)
    return `x509: signature algorithm specifies ${NAMES[wanted]} public key, but have public key of type ${KEYS[type]}.PublicKey`;
  if (modulusLength === undefined || modulusLength >= MIN_MODULUS) return undefined;
  return `crypto/rsa: ${modulusLength}-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)`;
}

/** The third field of the request's info, after version and subject. */
function publicKeyOf(info: Element): KeyObject {
  const [version, subject, spki, attributes] = children(info);
  checkInteger(tagged(version, INTEGER));
  checkName(tagged(subject, SEQUENCE));
  children(tagged(attributes, ATTRIBUTES));
  try {
    return createPublicKey({ key: tagged(spki, SEQUENCE).whole, format: 'der', type: 'spki' });
  } catch (error) {
    if (error instanceof DerError) throw error;
    throw new DerError('x509: failed to parse public key');
  }
}

function checkInteger({ content: [first, second = 0, ...rest], content }: Element): void {
  if (first === undefined) throw new DerError('asn1: structure error: empty integer');
  const isLong = content.length > 1 && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80));
  if (isLong || rest.length > 6) throw new DerError('asn1: structure error: integer not minimally-encoded');
}
