import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { annotated, BOUND_BY_CONTROLLER, isAnnotated } from './annotations.ts';
import { claimRefOf, isBoundTo, specOf } from './match.ts';

/** The volume as bound to the claim: upstream's GetBindVolumeToClaim. Undefined if it is so already. */
export function boundVolume<V extends JsonObject>(volume: V, claim: JsonObject): V | undefined {
  const isMarked = isBoundTo(volume, claim) || isAnnotated(volume, BOUND_BY_CONTROLLER);
  const isReferred = isBoundTo(volume, claim) && text(claimRefOf(volume), 'uid') === uidOf(claim);
  if (isMarked && isReferred) return undefined;
  const claimRef = isReferred ? (claimRefOf(volume) ?? {}) : referenceTo(claim);
  const bound = { ...volume, spec: { ...specOf(volume), claimRef } };
  return isMarked ? bound : annotated(bound, { [BOUND_BY_CONTROLLER]: 'yes' });
}

const referenceTo = (claim: JsonObject): JsonObject => ({
  kind: 'PersistentVolumeClaim',
  namespace: namespaceOf(claim),
  name: nameOf(claim),
  uid: uidOf(claim),
  apiVersion: 'v1',
  resourceVersion: resourceVersionOf(claim),
});
