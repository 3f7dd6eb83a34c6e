import { SYSTEM_MASTERS } from '#lib/authentication/user.ts';
import { certificateOf } from '#lib/authentication/vouched-certificate.ts';
import type { Client } from '#lib/client/client.ts';
import type { Reconciler } from '#lib/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, text, texts } from '#lib/machinery/unstructured.ts';
import { timeText } from '#lib/registry/rest/meta.ts';
import type { CertificateAuthority } from './authority.ts';
import { namesOf, readRequest } from './certificate-request.ts';
import { changedRequests, has, isIssued, REQUESTS, requestPem, withCondition, withStatus } from './conditions.ts';
import { isOurs, signerFault } from './signers.ts';

/** Gives approved requests their certificates: upstream's csrsigning controllers. Keys are names. */
export function certificateSigner(client: Client, clock: Clock, authority: CertificateAuthority): Reconciler {
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

const isReady = (request: JsonObject): boolean =>
  isOurs(text(at(request, 'spec'), 'signerName')) &&
  has(request, 'Approved') &&
  !has(request, 'Denied') &&
  !has(request, 'Failed') &&
  !isIssued(request);

async function answered(request: JsonObject, now: number, authority: CertificateAuthority): Promise<JsonObject> {
  const spec = at(request, 'spec');
  const usages = texts(spec, 'usages');
  const asked = readRequest(requestPem(request));
  const fault = signerFault(text(spec, 'signerName'), namesOf(asked), usages);
  if (fault !== undefined) return failed(request, now, fault);
  const seconds = ownField(spec, 'expirationSeconds');
  const terms = { usages, now, ...(seconds === undefined ? {} : { seconds: Number(seconds) }) };
  const certificate = await authority.sign(asked, terms);
  if (certificateOf(certificate, []).organizations.includes(SYSTEM_MASTERS))
    return failed(request, now, `certificates of the group ${SYSTEM_MASTERS} are not signed`);
  return withStatus(request, 'certificate', Buffer.from(certificate).toString('base64'));
}

const failed = (request: JsonObject, now: number, message: string): JsonObject =>
  withCondition(request, {
    type: 'Failed',
    reason: 'SignerValidationFailure',
    message,
    lastUpdateTime: timeText(new Date(now)),
  });
