import { X509Certificate } from 'node:crypto';
import type { Client } from '#lib/client/client.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import type { Reconciler } from '#lib/controller/reconciler.ts';
import { requeueAfter } from '#lib/controller/requeue-after.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { metadataOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { changedRequests, conditionsOf, isIssued, REQUESTS } from './conditions.ts';

const HOUR = 3_600_000;
const PENDING = 24 * HOUR;

/** Ends requests that are done with, or that nobody ever answered: upstream's csrcleaner. Keys are names. */
export function certificateCleaner(client: Client, clock: Clock): Reconciler {
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

/** When a request is to end, milliseconds since 1970. */
export function endOf(request: JsonObject): number {
  const conditions = conditionsOf(request);
  const created = timeOf(stringAt(metadataOf(request), 'creationTimestamp'));
  if (conditions.length === 0) return created + PENDING;
  const issued = isIssued(request);
  const ends = conditions.map((condition) => {
    const since = timeOf(text(condition, 'lastUpdateTime'));
    const type = text(condition, 'type');
    if (type === 'Denied' || type === 'Failed') return since + HOUR;
    if (type !== 'Approved') return Number.POSITIVE_INFINITY;
    return issued ? Math.min(since + HOUR, certificateEnd(request)) : since + PENDING;
  });
  return Math.min(...ends);
}

const timeOf = (time: string | undefined): number => {
  const parsed = Date.parse(time ?? '');
  return Number.isNaN(parsed) ? Number.POSITIVE_INFINITY : parsed;
};

function certificateEnd(request: JsonObject): number {
  const pem = Buffer.from(stringAt(objectAt(request, 'status'), 'certificate') ?? '', 'base64').toString('latin1');
  return Date.parse(new X509Certificate(pem).validTo);
}
