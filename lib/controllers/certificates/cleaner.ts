import { X509Certificate } from 'node:crypto';
import type { CertificateSigningRequest } from '#lib/api/types/certificates.v1.ts';
import type { Time } from '#lib/api/types/scalars.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { requeueAfter } from '#lib/client/controller/requeue-after.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { changedRequests, isIssued, REQUESTS } from './conditions.ts';

const HOUR = 3_600_000;
const PENDING = 24 * HOUR;

/** Deletes requests that are settled or were not processed in time: upstream's csrcleaner. Keys are names. */
export function certificateCleaner(untyped: Client, clock: Clock): Reconciler {
  const client = clientset(untyped);
  return {
    name: 'csrcleaner',
    keys: changedRequests,
    async reconcile(name) {
      const ref = { resource: REQUESTS, namespace: '', name };
      const request = await client.get(ref);
      const left = request === undefined ? Number.POSITIVE_INFINITY : endOf(request) - clock.now();
      if (request === undefined || left === Number.POSITIVE_INFINITY) return undefined;
      if (left > 0) return requeueAfter(left);
      const found = { uid: uidOf(request), resourceVersion: resourceVersionOf(request) };
      await client.delete(ref, found).catch(ignoreNotFound);
      return undefined;
    },
  };
}

/** The time in ms since 1970 at which a request is due for deletion. */
export function endOf(request: CertificateSigningRequest): number {
  const { conditions = [] } = request.status;
  const created = timeOf(request.metadata.creationTimestamp);
  if (conditions.length === 0) return created + PENDING;
  const issued = isIssued(request);
  const ends = conditions.map(({ type, lastUpdateTime }) => {
    const since = timeOf(lastUpdateTime);
    if (type === 'Denied' || type === 'Failed') return since + HOUR;
    if (type !== 'Approved') return Number.POSITIVE_INFINITY;
    return issued ? Math.min(since + HOUR, certificateEnd(request)) : since + PENDING;
  });
  return Math.min(...ends);
}

const timeOf = (time: Time | null | undefined): number => {
  const parsed = Date.parse(time ?? '');
  return Number.isNaN(parsed) ? Number.POSITIVE_INFINITY : parsed;
};

function certificateEnd({ status }: CertificateSigningRequest): number {
  const pem = Buffer.from(status.certificate ?? '', 'base64').toString('latin1');
  return Date.parse(new X509Certificate(pem).validTo);
}
