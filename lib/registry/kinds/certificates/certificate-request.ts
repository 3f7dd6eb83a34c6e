import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { BIT_STRING, DerError, OBJECT_IDENTIFIER, SEQUENCE, children, readElement, type Element } from './der.ts';
import { pemBlocks } from './pem.ts';

/** Signature algorithms by the hex of their object identifiers, with the digest that node:crypto calls them by. */
const DIGESTS: Readonly<Record<string, string | null>> = {
  '2a864886f70d010105': 'sha1',
  '2a864886f70d01010b': 'sha256',
  '2a864886f70d01010c': 'sha384',
  '2a864886f70d01010d': 'sha512',
  '2a8648ce3d0401': 'sha1',
  '2a8648ce3d040302': 'sha256',
  '2a8648ce3d040303': 'sha384',
  '2a8648ce3d040304': 'sha512',
  '2b6570': null,
};

/** What is wrong with a PEM encoded PKCS#10 request; undefined where it is well formed and signed by its own key. */
export function requestError(pem: string): string | undefined {
  const [block] = pemBlocks(pem);
  if (block?.type !== 'CERTIFICATE REQUEST') return 'PEM block type must be CERTIFICATE REQUEST';
  try {
    return signatureError(readElement(block.bytes));
  } catch (error) {
    if (error instanceof DerError) return error.message;
    throw error;
  }
}

function signatureError(request: Element): string | undefined {
  const [info, algorithm, signature] = request.tag === SEQUENCE ? children(request) : [];
  if (info === undefined || algorithm === undefined || signature?.tag !== BIT_STRING) {
    throw new DerError('asn1: structure error');
  }
  const [oid] = children(algorithm);
  if (oid?.tag !== OBJECT_IDENTIFIER) throw new DerError('asn1: structure error');
  const name = oid.content.toString('hex');
  if (!Object.hasOwn(DIGESTS, name)) return 'x509: cannot verify signature: algorithm unimplemented';
  const key = publicKeyOf(info);
  // The first byte of a bit string counts bits that are not used.
  const bytes = signature.content.subarray(1);
  return verify(DIGESTS[name] ?? null, info.whole, key, bytes) ? undefined : 'x509: signature verification failed';
}

/** The third field of the request's info, behind version and subject. */
function publicKeyOf(info: Element): KeyObject {
  const spki = children(info)[2];
  if (spki === undefined) throw new DerError('asn1: structure error');
  try {
    return createPublicKey({ key: spki.whole, format: 'der', type: 'spki' });
  } catch {
    throw new DerError('x509: failed to parse public key');
  }
}
