import type { Container, Pod, PodResourceClaim } from '#lib/api/types/core.v1.ts';
import { usageOf } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import { isExtendedResource } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { DEVICE_CLASS_PREFIX } from '#lib/helpers/dynamic-resource-allocation/deviceclass/extended-resource.ts';
import { quote } from '#lib/machinery/go.ts';
import { signOf } from '#lib/machinery/resource/quantities.ts';

/** A claim that a pod uses. */
export interface ClaimName {
  readonly name: string;
  /** Whether the pod must own the claim, because it was created for the pod from a template. */
  readonly mustCheckOwner: boolean;
}

/**
 * The claim for an entry of `spec.resourceClaims`, or undefined if none is needed. Throws Error with upstream's text if it has not been
 * created yet.
 */
export function claimNameOf({ metadata, status }: Pod, claim: PodResourceClaim): ClaimName | undefined {
  if (claim.resourceClaimName !== undefined) return { name: claim.resourceClaimName, mustCheckOwner: false };
  const pod = `pod "${metadata.namespace}/${metadata.name}"`;
  if (claim.resourceClaimTemplateName === undefined)
    throw new Error(`${pod}, spec.resourceClaim ${quote(claim.name)}: none of the supported fields are set`);
  const told = status.resourceClaimStatuses?.find(({ name }) => name === claim.name);
  if (told === undefined) throw new Error(`${pod}: ResourceClaim not created yet`);
  return told.resourceClaimName === undefined ? undefined : { name: told.resourceClaimName, mustCheckOwner: true };
}

/** All claims of a pod: those of its spec, then the claim for its extended resources. */
export function podClaimNames(pod: Pod): ClaimName[] {
  const named = (pod.spec.resourceClaims ?? []).flatMap((claim) => claimNameOf(pod, claim) ?? []);
  const extended = pod.status.extendedResourceClaimStatus?.resourceClaimName;
  return extended === undefined ? named : [...named, { name: extended, mustCheckOwner: false }];
}

/** The claims that a container uses, with the requests. '' means all requests of a claim. */
export function containerRequests(pod: Pod, container: Container): ReadonlyMap<string, readonly string[]> {
  const result = new Map<string, string[]>();
  const add = (claim: string, requests: readonly string[]): void => {
    if (requests.length > 0) result.set(claim, [...(result.get(claim) ?? []), ...requests]);
  };
  for (const claim of pod.spec.resourceClaims ?? []) {
    const used = (container.resources.claims ?? []).filter(({ name }) => name === claim.name);
    const name = used.length === 0 ? undefined : claimNameOf(pod, claim)?.name;
    if (name !== undefined)
      add(
        name,
        used.map(({ request = '' }) => request),
      );
  }
  const extended = pod.status.extendedResourceClaimStatus;
  if (extended === undefined) return result;
  const wanted = [...usageOf(container.resources.requests)]
    .filter(([name, value]) => signOf(value) !== 0 && isDRAExtendedResource(name))
    .map(([name]) => name);
  const mappings = (extended.requestMappings ?? []).filter(
    ({ containerName, resourceName }) => containerName === container.name && wanted.includes(resourceName),
  );
  add(
    extended.resourceClaimName,
    mappings.map(({ requestName }) => requestName),
  );
  return result;
}

/** Whether DRA may provide the resource: it is an extended resource, or named after a DeviceClass. */
const isDRAExtendedResource = (name: string): boolean =>
  isExtendedResource(name) || name.startsWith(DEVICE_CLASS_PREFIX);
