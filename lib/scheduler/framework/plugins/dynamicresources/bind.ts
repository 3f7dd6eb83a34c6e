import type { Pod } from '#lib/api/types/core.v1.ts';
import type { AllocationResult, ResourceClaim, ResourceClaimStatus } from '#lib/api/types/resource.v1.ts';
import { PODS, RESOURCE_CLAIMS } from '#lib/api/types/resources.ts';
import type { Clientset, RefOf } from '#lib/client/clientset.ts';
import { FINALIZER, isReservedFor } from '#lib/helpers/dynamic-resource-allocation/resourceclaim/pod-claims.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { finalizersOf, isDeleting, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import type { Handle } from '../../interface.ts';
import type { DeviceRequests } from './device-requests.ts';
import { isAllocated } from './state.ts';

/** The number of attempts, as in upstream's DefaultRetry. */
const ATTEMPTS = 5;

/** A reference to a claim, for the client. */
export const refOf = (claim: ResourceClaim): RefOf<ResourceClaim> => ({
  resource: RESOURCE_CLAIMS,
  namespace: namespaceOf(claim),
  name: nameOf(claim),
});

const place = (claim: ResourceClaim): string => `${namespaceOf(claim)}/${nameOf(claim)}`;

/** The claim with the scheduler's finalizer. */
export const withFinalizer = (claim: ResourceClaim): ResourceClaim =>
  finalizersOf(claim).includes(FINALIZER)
    ? claim
    : { ...claim, metadata: { ...claim.metadata, finalizers: [...finalizersOf(claim), FINALIZER] } };

/**
 * Reserves the claim for the pod, and writes `allocation` if given. Reads the claim again after a conflict with another writer. Returns the
 * claim as written. Throws StatusError, or TypeError if the claim's state no longer fits.
 */
export async function bindClaim(
  { client, clock }: Handle,
  pod: Pod,
  claim: ResourceClaim,
  allocation: AllocationResult | undefined,
): Promise<ResourceClaim> {
  for (let attempt = 1, current: ResourceClaim | undefined = claim; ; attempt++) {
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
  client: Clientset,
  pod: Pod,
  claim: ResourceClaim,
  { allocation, now }: { readonly allocation: AllocationResult | undefined; readonly now: number },
): Promise<ResourceClaim> {
  if (isDeleting(claim)) throw new TypeError(`claim ${place(claim)} got deleted in the meantime`);
  if (allocation !== undefined && isAllocated(claim))
    throw new TypeError(`claim ${place(claim)} got allocated elsewhere in the meantime`);
  const given = allocation ?? claim.status.allocation;
  if (given === undefined) throw new TypeError(`claim ${place(claim)} got deallocated elsewhere in the meantime`);
  const desired = allocation === undefined ? claim : withFinalizer(claim);
  const marked = desired === claim ? claim : await client.update(refOf(claim), desired);
  const stamped: AllocationResult = { allocationTimestamp: timeOf(now), ...given };
  const consumer = { resource: 'pods', name: nameOf(pod), uid: uidOf(pod) };
  const reservedFor = [...(marked.status.reservedFor ?? []), consumer];
  const status: ResourceClaimStatus = { ...marked.status, allocation: stamped, reservedFor };
  return client.update(refOf(claim), { ...marked, status }, 'status');
}

/** Removes the pod's reservation of the claim. Throws StatusError. */
export async function unreserveClaim({ client }: Handle, pod: Pod, claim: ResourceClaim): Promise<void> {
  const current = await client.get(refOf(claim));
  if (current === undefined || uidOf(current) !== uidOf(claim) || !isReservedFor(pod, current)) return;
  const reservedFor = (current.status.reservedFor ?? []).filter(({ uid }) => uid !== uidOf(pod));
  await client.update(refOf(claim), { ...current, status: { ...current.status, reservedFor } }, 'status');
}

/** Releases the claim's devices. Throws StatusError. */
export async function deallocateClaim({ client }: Handle, claim: ResourceClaim): Promise<void> {
  const { allocation: _, reservedFor: __, devices: ___, ...status } = claim.status;
  await client.update(refOf(claim), { ...claim, status }, 'status');
}

/** Creates the claim for extended resources of containers. Throws StatusError. */
export async function createClaim(
  { client }: Handle,
  claim: ResourceClaim,
  { requests }: DeviceRequests,
): Promise<ResourceClaim> {
  const { name: _, uid: __, ...metadata } = claim.metadata;
  return client.create(RESOURCE_CLAIMS, { metadata, spec: { devices: { requests: [...requests] } } });
}

/** Writes the name of the claim for extended resources to the pod's status. Throws StatusError. */
export async function tellPod(
  { client }: Handle,
  pod: Pod,
  claim: ResourceClaim,
  { mappings }: DeviceRequests,
): Promise<void> {
  const extendedResourceClaimStatus = { requestMappings: [...mappings], resourceClaimName: nameOf(claim) };
  const ref = { resource: PODS, namespace: namespaceOf(pod), name: nameOf(pod) };
  await client.patch(ref, { status: { extendedResourceClaimStatus } }, 'status');
}

/** Deletes a claim and removes its finalizer. Throws StatusError. */
export async function deleteClaim({ client }: Handle, claim: ResourceClaim): Promise<void> {
  const current = await client.get(refOf(claim));
  if (current === undefined || uidOf(current) !== uidOf(claim)) return;
  const finalizers = finalizersOf(current).filter((one) => one !== FINALIZER);
  await client.update(refOf(claim), { ...current, metadata: { ...current.metadata, finalizers } });
  await client.delete(refOf(claim), { uid: uidOf(claim) });
}
