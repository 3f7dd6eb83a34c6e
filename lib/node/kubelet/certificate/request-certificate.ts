import type { CertificateSigningRequest } from '#lib/api/types/certificates.v1.ts';
import { CERTIFICATE_SIGNING_REQUESTS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import { ignore } from '#lib/client/ignore.ts';
import type { KeyPair } from '#lib/controllers/certificates/new-signer.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';

/** Interval in ms between checks of a request. */
const POLL = { duration: 250, factor: 2, cap: 5000 };

/** The parameters of a certificate request. */
export interface AskedCertificate {
  readonly client: Client;
  readonly clock: Clock;
  readonly request: CertificateSigningRequest;
  /** The private key of the request as PKCS #8 PEM. */
  readonly key: string;
  /** Time-out for approval in milliseconds. */
  readonly patience: number;
  /** Whether the requested certificate is no longer useful. If absent, it never becomes stale. */
  isStale?(): boolean;
}

/**
 * Requests a certificate and waits until it is issued. An earlier request with the same name is reused. Throws the server's StatusError.
 * Throws Error if the request is denied, failed, deleted, stale, or not approved in time or before the signal aborts.
 */
export async function requestCertificate(asked: AskedCertificate, signal: AbortSignal): Promise<KeyPair> {
  const { client, clock, request, key, patience } = asked;
  const typed = clientset(client);
  const created = await typed.create(CERTIFICATE_SIGNING_REQUESTS, request).catch(ignore('AlreadyExists'));
  const name = created?.metadata.name ?? request.metadata.name ?? '';
  const end = clock.monotonic() + patience;
  let uid = created?.metadata.uid;
  for (let checks = 1; !signal.aborted && clock.monotonic() < end; checks++) {
    const found = await typed.get({ resource: CERTIFICATE_SIGNING_REQUESTS, namespace: '', name });
    if (found === undefined) throw new Error(`csr "${name}" was deleted`);
    uid ??= found.metadata.uid;
    if (found.metadata.uid !== uid) throw new Error(`csr "${name}" changed UIDs`);
    const certificate = issuedOf(found);
    if (certificate !== undefined) return { certificate, key };
    if (asked.isStale?.() === true) throw new Error(`csr "${name}" is for other names than those of the node now`);
    await clock.sleep(delayAfter(checks, POLL), signal);
  }
  throw new Error(`csr "${name}" was not approved in time`);
}

/** The certificate of an approved request as PEM, or undefined if it is pending. Throws for a denied or failed one. */
function issuedOf({ status }: CertificateSigningRequest): string | undefined {
  const conditions = status.conditions ?? [];
  for (const { type, reason = '', message = '' } of conditions) {
    if (type === 'Denied')
      throw new Error(`certificate signing request is denied, reason: ${reason}, message: ${message}`);
    if (type === 'Failed')
      throw new Error(`certificate signing request failed, reason: ${reason}, message: ${message}`);
  }
  const isApproved = conditions.some(({ type }) => type === 'Approved');
  const { certificate = '' } = status;
  return isApproved && certificate !== '' ? Buffer.from(certificate, 'base64').toString() : undefined;
}
