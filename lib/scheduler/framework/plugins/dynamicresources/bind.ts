import type { Client, ObjectRef } from '#lib/client/client.ts';
import { FINALIZER, isReservedFor, reservations } from '#lib/dynamic-resource-allocation/resourceclaim/pod-claims.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { finalizersOf, isDeleting, metadataOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { instantOf, timeText } from '#lib/machinery/time.ts';
import { has } from '#lib/machinery/unstructured.ts';
import type { Handle } from '../../interface.ts';
import type { DeviceRequests } from './device-requests.ts';
import { isAllocated } from './state.ts';

const CLAIMS: GroupVersionResource = { group: 'resource.k8s.io', version: 'v1', resource: 'resourceclaims' };
const PODS: GroupVersionResource = { group: '', version: 'v1', resource: 'pods' };
/** As upstream's DefaultRetry. */
const ATTEMPTS = 5;

export const refOf = (claim: JsonObject): ObjectRef => ({
  resource: CLAIMS,
  namespace: namespaceOf(claim),
  name: nameOf(claim),
});

const place = (claim: JsonObject): string => `${namespaceOf(claim)}/${nameOf(claim)}`;

export const withFinalizer = (claim: JsonObject): JsonObject =>
  finalizersOf(claim).includes(FINALIZER)
    ? claim
    : { ...claim, metadata: { ...metadataOf(claim), finalizers: [...finalizersOf(claim), FINALIZER] } };

/**
 * Writes that the claim is the pod's, and where `allocation` is given what devices it has. What others wrote in between is taken in.
 * The claim as written; throws StatusError or TypeError where it cannot be.
 */
export async function bindClaim(
  { client, clock }: Handle,
  pod: JsonObject,
  claim: JsonObject,
  allocation: JsonObject | undefined,
): Promise<JsonObject> {
  for (let attempt = 1, current: JsonObject | undefined = claim; ; attempt++) {
    if (current === undefined) throw new TypeError(`get updated claim ${place(claim)} after conflict: it is gone`);
    try {
      return await write(client, pod, current, { allocation, now: clock.now() });
    } catch (error) {
      if (!(error instanceof StatusError) || error.reason !== 'Conflict' || attempt === ATTEMPTS) throw error;
      current = await client.get(refOf(claim));
    }
  }
}

async function write(
  client: Client,
  pod: JsonObject,
  claim: JsonObject,
  { allocation, now }: { readonly allocation: JsonObject | undefined; readonly now: number },
): Promise<JsonObject> {
  if (isDeleting(claim)) throw new TypeError(`claim ${place(claim)} got deleted in the meantime`);
  if (allocation !== undefined && isAllocated(claim))
    throw new TypeError(`claim ${place(claim)} got allocated elsewhere in the meantime`);
  const given = allocation ?? objectAt(objectAt(claim, 'status'), 'allocation');
  if (given === undefined) throw new TypeError(`claim ${place(claim)} got deallocated elsewhere in the meantime`);
  const wanted = allocation === undefined ? claim : withFinalizer(claim);
  const marked = wanted === claim ? claim : await client.update(refOf(claim), wanted);
  const stamped = has(given, 'allocationTimestamp')
    ? given
    : { ...given, allocationTimestamp: timeText(instantOf(new Date(now))) };
  const consumer = { resource: 'pods', name: nameOf(pod), uid: uidOf(pod) };
  const status = {
    ...objectAt(marked, 'status'),
    allocation: stamped,
    reservedFor: [...reservations(marked), consumer],
  };
  return client.update(refOf(claim), { ...marked, status }, 'status');
}

/** Takes back that the claim is the pod's. Throws StatusError. */
export async function unreserveClaim({ client }: Handle, pod: JsonObject, claim: JsonObject): Promise<void> {
  const current = await client.get(refOf(claim));
  if (current === undefined || uidOf(current) !== uidOf(claim) || !isReservedFor(pod, current)) return;
  const reservedFor = reservations(current).filter((one) => one['uid'] !== uidOf(pod));
  await client.update(refOf(claim), { ...current, status: { ...objectAt(current, 'status'), reservedFor } }, 'status');
}

/** Gives the claim's devices back. Throws StatusError. */
export async function deallocateClaim({ client }: Handle, claim: JsonObject): Promise<void> {
  const { allocation: _, reservedFor: __, devices: ___, ...status } = objectAt(claim, 'status') ?? {};
  await client.update(refOf(claim), { ...claim, status }, 'status');
}

/** Writes the claim for what containers ask for as resources. Throws StatusError. */
export async function createClaim(
  { client }: Handle,
  claim: JsonObject,
  { requests }: DeviceRequests,
): Promise<JsonObject> {
  const { name: _, uid: __, ...metadata } = metadataOf(claim);
  return client.create(CLAIMS, { metadata, spec: { devices: { requests: [...requests] } } });
}

/** Tells the pod which claim has what its containers ask for as resources. Throws StatusError. */
export async function tellPod(
  { client }: Handle,
  pod: JsonObject,
  claim: JsonObject,
  { mappings }: DeviceRequests,
): Promise<void> {
  const extendedResourceClaimStatus = { requestMappings: [...mappings], resourceClaimName: nameOf(claim) };
  const ref = { resource: PODS, namespace: namespaceOf(pod), name: nameOf(pod) };
  await client.patch(ref, { status: { extendedResourceClaimStatus } }, 'status');
}

/** Deletes a claim, whatever it has. Throws StatusError. */
export async function deleteClaim({ client }: Handle, claim: JsonObject): Promise<void> {
  const current = await client.get(refOf(claim));
  if (current === undefined || uidOf(current) !== uidOf(claim)) return;
  const finalizers = finalizersOf(current).filter((one) => one !== FINALIZER);
  await client.update(refOf(claim), { ...current, metadata: { ...metadataOf(current), finalizers } });
  await client.delete(refOf(claim), { uid: uidOf(claim) });
}
