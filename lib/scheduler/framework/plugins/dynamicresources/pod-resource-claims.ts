import type { Pod } from '#lib/api/types/core.v1.ts';
import type { ResourceClaim } from '#lib/api/types/resource.v1.ts';
import { podClaims } from '#lib/helpers/dynamic-resource-allocation/resourceclaim/pod-claims.ts';
import { controllerOf, isDeleting, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import type { ClaimTracker } from './claim-tracker.ts';

/** The claims of a pod, or the reason why it cannot have them yet: upstream's foreachPodResourceClaim. */
export function podResourceClaims(tracker: ClaimTracker, pod: Pod): readonly ResourceClaim[] | string {
  const found: ResourceClaim[] = [];
  for (const { claim: name, template } of podClaims(pod)) {
    if (name === undefined) return `pod "${namespaceOf(pod)}/${nameOf(pod)}": ResourceClaim not created yet`;
    const claim = tracker.get(namespaceOf(pod), name);
    if (claim === undefined) return `could not find ResourceClaim "${namespaceOf(pod)}/${name}"`;
    if (isDeleting(claim)) return `resourceclaim "${name}" is being deleted`;
    if (template !== undefined && controllerOf(claim)?.uid !== uidOf(pod)) return foreign(pod, claim);
    found.push(claim);
  }
  return found;
}

function foreign(pod: Pod, claim: ResourceClaim): string {
  const place = (object: Pod | ResourceClaim): string => `${namespaceOf(object)}/${nameOf(object)}`;
  return `ResourceClaim ${place(claim)} was not created for Pod ${place(pod)} (Pod is not owner)`;
}
