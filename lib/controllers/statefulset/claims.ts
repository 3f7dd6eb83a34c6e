import type { StatefulSet } from '#lib/api/types/apps.v1.ts';
import type { PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import type { OwnerReference } from '#lib/api/types/meta.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { labelsOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import type { NewPod } from '../workload/pod-of.ts';
import { claimName, claimTemplates } from './identity.ts';

/** A pod and its set, as owners of claims. */
export interface Owners {
  readonly set: StatefulSet;
  /** The pod, without a uid if it does not exist yet. */
  readonly pod: NewPod;
  /** Whether the set still wants a pod of this ordinal. */
  readonly isWanted: boolean;
}

/** The claims of an ordinal from the set's templates. */
export function claimsFor(set: StatefulSet, ordinal: number): readonly PersistentVolumeClaim[] {
  const selected = set.spec.selector?.matchLabels;
  return claimTemplates(set).map((template) => ({
    ...template,
    metadata: {
      ...template.metadata,
      name: claimName(set, template, ordinal),
      namespace: namespaceOf(set),
      labels: { ...labelsOf(template), ...selected },
    },
  }));
}

const deletes = ({ spec }: StatefulSet, when: 'whenDeleted' | 'whenScaled'): boolean =>
  spec.persistentVolumeClaimRetentionPolicy?.[when] === 'Delete';

const SET = { apiVersion: 'apps/v1', kind: 'StatefulSet' };
const POD = { apiVersion: 'v1', kind: 'Pod' };

const isTo = (reference: OwnerReference, kind: typeof SET, owner: JsonObject): boolean =>
  reference.apiVersion === kind.apiVersion && reference.kind === kind.kind && reference.name === nameOf(owner);

const referencesOf = ({ metadata }: PersistentVolumeClaim): readonly OwnerReference[] => metadata.ownerReferences ?? [];

/** Whether the claim belongs to a deleted object of the owner's name, and will therefore be deleted. */
const isStale = (claim: PersistentVolumeClaim, kind: typeof SET, owner: JsonObject): boolean => {
  const found = referencesOf(claim).find((one) => isTo(one, kind, owner));
  return found !== undefined && found.uid !== uidOf(owner);
};

/** Whether the removal of a deleted pod's claim must finish before the next pod is created. */
export const blocksCreation = (claim: PersistentVolumeClaim, { set, pod }: Owners): boolean =>
  deletes(set, 'whenScaled') && isStale(claim, POD, pod);

/** Whether another controller controls a claim of a set that would delete its claims. */
export function hasOtherController(claim: PersistentVolumeClaim, { set, pod }: Owners): boolean {
  if (!deletes(set, 'whenScaled') && !deletes(set, 'whenDeleted')) return false;
  const ours = (one: OwnerReference): boolean => isTo(one, SET, set) || isTo(one, POD, pod);
  return (
    isStale(claim, SET, set) ||
    isStale(claim, POD, pod) ||
    referencesOf(claim).some((one) => one.controller === true && !ours(one))
  );
}

/** The owner that the claim should have by the retention policy (KEP-1847): the set, the pod, or neither. */
function ownersWanted({ set, isWanted }: Owners): { readonly bySet: boolean; readonly byPod: boolean } {
  const byPod = deletes(set, 'whenScaled') && !isWanted;
  return { bySet: deletes(set, 'whenDeleted') && !byPod, byPod };
}

/**
 * The owner references that the claim should have. Undefined if they are up to date, or if the claim belongs to a deleted set or pod. If
 * another controller controls the claim, only references to the set and pod are removed.
 */
export function ownersOfClaim(claim: PersistentVolumeClaim, owners: Owners): readonly OwnerReference[] | undefined {
  const { set, pod } = owners;
  if (isStale(claim, SET, set) || isStale(claim, POD, pod)) return undefined;
  const held = referencesOf(claim);
  const uids = [uidOf(set), uidOf(pod)];
  const others = held.filter((one) => !isTo(one, SET, set) && !isTo(one, POD, pod) && !uids.includes(one.uid));
  if (hasOtherController(claim, owners)) return others.length === held.length ? undefined : others;
  const { bySet, byPod } = ownersWanted(owners);
  const isRight = (owner: JsonObject, wanted: boolean): boolean => {
    const found = held.find(({ uid }) => uid === uidOf(owner));
    return found === undefined ? !wanted : wanted && found.controller === true;
  };
  if (isRight(set, bySet) && isRight(pod, byPod)) return undefined;
  return [...others, ...(bySet ? [reference(SET, set)] : []), ...(byPod ? [reference(POD, pod)] : [])];
}

const reference = ({ apiVersion, kind }: typeof SET, owner: JsonObject): OwnerReference => ({
  apiVersion,
  kind,
  name: nameOf(owner),
  uid: uidOf(owner),
  controller: true,
  blockOwnerDeletion: true,
});
