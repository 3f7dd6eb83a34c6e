import { podClaims } from '#lib/dynamic-resource-allocation/resourceclaim/pod-claims.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { controllerOf, isDeleting, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import type { ClaimTracker } from './claim-tracker.ts';

/** The claims of a pod as they are, or why it cannot have them yet: upstream's foreachPodResourceClaim. */
export function podResourceClaims(tracker: ClaimTracker, pod: JsonObject): readonly JsonObject[] | string {
  const found: JsonObject[] = [];
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

function foreign(pod: JsonObject, claim: JsonObject): string {
  const place = (object: JsonObject): string => `${namespaceOf(object)}/${nameOf(object)}`;
  return `ResourceClaim ${place(claim)} was not created for Pod ${place(pod)} (Pod is not owner)`;
}
