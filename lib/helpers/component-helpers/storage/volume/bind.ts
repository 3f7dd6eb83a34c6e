import { typedObject } from '#lib/api/typed.ts';
import type { ObjectReference } from '#lib/api/types/core.v1.ts';
import { PERSISTENT_VOLUMES } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { annotated, BOUND_BY_CONTROLLER, isAnnotated } from './annotations.ts';
import { isBoundTo } from './match.ts';

/** The decoded volume bound to the claim: upstream's GetBindVolumeToClaim. Undefined if it already is. */
export function boundVolume<V extends JsonObject>(volume: V, claim: JsonObject): V | undefined {
  const { spec } = typedObject(PERSISTENT_VOLUMES, volume);
  const isMarked = isBoundTo(volume, claim) || isAnnotated(volume, BOUND_BY_CONTROLLER);
  const isReferred = isBoundTo(volume, claim) && (spec.claimRef?.uid ?? '') === uidOf(claim);
  if (isMarked && isReferred) return undefined;
  const claimRef = isReferred ? (spec.claimRef ?? {}) : referenceTo(claim);
  const bound = { ...volume, spec: { ...spec, claimRef } };
  return isMarked ? bound : annotated(bound, { [BOUND_BY_CONTROLLER]: 'yes' });
}

const referenceTo = (claim: JsonObject): ObjectReference => ({
  kind: 'PersistentVolumeClaim',
  namespace: namespaceOf(claim),
  name: nameOf(claim),
  uid: uidOf(claim),
  apiVersion: 'v1',
  resourceVersion: resourceVersionOf(claim),
});
