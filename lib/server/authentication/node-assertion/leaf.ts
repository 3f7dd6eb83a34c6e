import { X509Certificate } from 'node:crypto';
import type { ClientCertificate } from '../authenticator.ts';
import { describedCertificate } from '../certificate.ts';

/** The usage (OID) of certificates that authenticate clients. */
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const NODES = 'system:nodes';
const NODE = /^system:node:[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

/**
 * The certificate in an `x5c` header. Undefined unless the header contains exactly one readable certificate, because the authority signs
 * node certificates directly.
 */
export function leafOf(chain: unknown): X509Certificate | undefined {
  if (!Array.isArray(chain) || chain.length !== 1) return undefined;
  const [encoded]: readonly unknown[] = chain;
  if (typeof encoded !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined;
  try {
    return new X509Certificate(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined; // not a certificate
  }
}

/** The node that a certificate identifies at a time in ms since 1970. Undefined if the usage, the subject or the authority differs. */
export function nodeCertificate(
  leaf: X509Certificate,
  authority: X509Certificate,
  now: number,
): ClientCertificate | undefined {
  const described = describedCertificate(leaf, ['client']);
  const isNode =
    hasNodeSubject(leaf) &&
    !leaf.ca &&
    (leaf.keyUsage ?? []).includes(CLIENT_AUTH) &&
    now >= Date.parse(leaf.validFrom) &&
    now <= described.notAfter;
  return isNode && leaf.checkIssued(authority) && leaf.verify(authority.publicKey) ? described : undefined;
}

/** Whether the subject has exactly one node name and one organization. */
function hasNodeSubject(leaf: X509Certificate): boolean {
  const subject: Readonly<Record<string, unknown>> = leaf.toLegacyObject().subject ?? {};
  const { CN: name, O: organization, ...others } = subject;
  return typeof name === 'string' && NODE.test(name) && organization === NODES && Object.keys(others).length === 0;
}
