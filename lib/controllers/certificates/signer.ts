import type { CertificateSigningRequest } from '#lib/api/types/certificates.v1.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { SYSTEM_MASTERS } from '#lib/server/authentication/user.ts';
import { certificateOf } from '#lib/server/authentication/vouched-certificate.ts';
import type { CertificateAuthority } from './authority.ts';
import { namesOf, readRequest } from './certificate-request.ts';
import {
  changedRequests,
  hasCondition,
  isIssued,
  REQUESTS,
  requestPem,
  withCondition,
  withStatus,
} from './conditions.ts';
import { isOurs, signerFault } from './signers.ts';

/** Issues the certificates of approved requests: upstream's csrsigning controllers. Keys are names. */
export function certificateSigner(untyped: Client, clock: Clock, authority: CertificateAuthority): Reconciler {
  const client = clientset(untyped);
  return {
    name: 'csrsigning',
    keys: changedRequests,
    async reconcile(name) {
      const ref = { resource: REQUESTS, namespace: '', name };
      const request = await client.get(ref);
      if (request === undefined || !isReady(request)) return undefined;
      await client.update(ref, await answered(request, clock.now(), authority), 'status');
      return undefined;
    },
  };
}

const isReady = (request: CertificateSigningRequest): boolean =>
  isOurs(request.spec.signerName) &&
  hasCondition(request, 'Approved') &&
  !hasCondition(request, 'Denied') &&
  !hasCondition(request, 'Failed') &&
  !isIssued(request);

async function answered(
  request: CertificateSigningRequest,
  now: number,
  authority: CertificateAuthority,
): Promise<CertificateSigningRequest> {
  const { signerName, usages = [], expirationSeconds } = request.spec;
  const asked = readRequest(requestPem(request));
  const fault = signerFault(signerName, namesOf(asked), usages);
  if (fault !== undefined) return failed(request, now, fault);
  const certificate = await authority.sign(asked, { usages, now, ...defined({ seconds: expirationSeconds }) });
  if (certificateOf(certificate, []).organizations.includes(SYSTEM_MASTERS))
    return failed(request, now, `certificates of the group ${SYSTEM_MASTERS} are not signed`);
  return withStatus(request, { certificate: Buffer.from(certificate).toString('base64') });
}

const failed = (request: CertificateSigningRequest, now: number, message: string): CertificateSigningRequest =>
  withCondition(request, {
    type: 'Failed',
    reason: 'SignerValidationFailure',
    message,
    lastUpdateTime: timeOf(now),
  });
