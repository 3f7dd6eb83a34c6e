import type { PersistentVolumeClaim, Pod } from '#lib/api/types/core.v1.ts';
import type { OwnerReference } from '#lib/api/types/meta.v1.ts';
import { isPodTerminal, phaseOf } from '#lib/helpers/component-helpers/pod/phase.ts';
import { isDeleting, nameOf } from '#lib/machinery/meta.ts';
import { restored } from '../history/revision.ts';
import { replicasOf } from '../replicaset/decide.ts';
import type { NewPod } from '../workload/pod-of.ts';
import { blocksCreation, claimsFor, hasOtherController, type Owners, ownersOfClaim } from './claims.ts';
import { conforming, conforms, newPod, revisionNameOf, startOf } from './identity.ts';
import { isAvailableIn, isOrdered, isWanted, type Observed, ordinals, partitionOf, type View, viewOf } from './view.ts';

/** The work on the claims of one pod, before the pod itself. */
export interface ClaimWork {
  readonly create: readonly PersistentVolumeClaim[];
  readonly own: readonly {
    readonly claim: PersistentVolumeClaim;
    readonly ownerReferences: readonly OwnerReference[];
  }[];
  /** The names of claims that another controller controls, so that the retention policy is not applied. */
  readonly conflicting: readonly string[];
  /** The names of claims that a pod cannot use, because they are being deleted. */
  readonly ending: readonly string[];
}

/** One step of a reconciliation. `provide` writes only the claims. `update` writes the pod if `isChanged`. */
export type Step =
  | { readonly do: 'create'; readonly pod: NewPod; readonly claims: ClaimWork }
  | { readonly do: 'provide'; readonly pod: Pod; readonly claims: ClaimWork }
  | { readonly do: 'update'; readonly pod: Pod; readonly claims: ClaimWork; readonly isChanged: boolean }
  | { readonly do: 'delete'; readonly pod: Pod };

interface Look {
  readonly steps: readonly Step[];
  /** Whether later steps have to wait. */
  readonly isBlocked: boolean;
}

const NOTHING: Look = { steps: [], isBlocked: false };
const WAIT: Look = { steps: [], isBlocked: true };

/** The steps of a reconciliation in phases. Each phase requires the success of the one before: upstream's updateStatefulSet. */
export function decide(observed: Observed): readonly (readonly Step[])[] {
  const view = viewOf(observed);
  if (isDeleting(view.set)) return [];
  const phases: (readonly Step[])[] = [];
  for (const look of [replicas, condemnedClaims, condemned, outdated]) {
    const { steps, isBlocked } = look(view);
    if (steps.length > 0) phases.push(steps);
    if (isBlocked) break;
  }
  return phases;
}

/** Ensures that every ordinal has a running pod. */
function replicas(view: View): Look {
  const steps: Step[] = [];
  let looked = 0;
  for (const ordinal of ordinals(view.set, view.byOrdinal)) {
    const { steps: more, isBlocked } = replica(view, ordinal);
    steps.push(...more);
    looked++;
    if (isBlocked && isOrdered(view.set)) return { steps, isBlocked };
  }
  return { steps, isBlocked: looked < replicasOf(view.set) };
}

function replica(view: View, ordinal: number): Look {
  const { set, byOrdinal } = view;
  const pod = byOrdinal.get(ordinal);
  if (pod === undefined) return creation(view, ordinal);
  // A pod that terminated may have been evicted. In any case the set needs a running one.
  if (isPodTerminal(pod)) return isDeleting(pod) ? WAIT : { steps: [{ do: 'delete', pod }], isBlocked: true };
  const isPending = phaseOf(pod) === 'Pending';
  const provided = isPending ? provision(pod, claimWork(view, ordinal, pod)) : [];
  if (isOrdered(set) && !isAvailableIn(view, pod)) return { steps: provided, isBlocked: true };
  return { steps: provided.length > 0 ? provided : correction(view, ordinal, pod), isBlocked: false };
}

function creation(view: View, ordinal: number): Look {
  const { set, reference, claims, current, update } = view;
  const revision = isOfCurrent(view, ordinal) ? current : update;
  const pod = newPod(restored(set, revision), reference, nameOf(revision), ordinal);
  const owners = ownersOf(view, ordinal, pod);
  const held = claimsFor(set, ordinal).map((claim) => claims.get(nameOf(claim)));
  if (held.some((claim) => claim !== undefined && blocksCreation(claim, owners))) return WAIT;
  return { steps: [{ do: 'create', pod, claims: claimWork(view, ordinal, pod) }], isBlocked: true };
}

/**
 * Whether an update keeps the pod of this ordinal at the old revision: below the partition, or without rollingUpdate below the number of
 * old pods.
 */
function isOfCurrent({ set, current, pods }: View, ordinal: number): boolean {
  const { rollingUpdate, type } = set.spec.updateStrategy;
  const place = ordinal - startOf(set);
  if (rollingUpdate !== undefined) return place < partitionOf(set);
  const left = pods.filter((pod) => !isDeleting(pod) && revisionNameOf(pod) === nameOf(current));
  return type === 'RollingUpdate' && place < left.length;
}

const ownersOf = ({ set }: View, ordinal: number, pod: NewPod): Owners => ({
  set,
  pod,
  isWanted: isWanted(set, ordinal),
});

function claimWork(view: View, ordinal: number, pod: NewPod): ClaimWork {
  const owners = ownersOf(view, ordinal, pod);
  const wanted = claimsFor(view.set, ordinal);
  const missing = wanted.filter((claim) => !view.claims.has(nameOf(claim)));
  const held = wanted.map((claim) => view.claims.get(nameOf(claim))).filter((claim) => claim !== undefined);
  return {
    create: missing.map((claim) => owned(claim, owners)),
    own: held.flatMap((claim) => {
      const ownerReferences = ownersOfClaim(claim, owners);
      return ownerReferences === undefined ? [] : [{ claim, ownerReferences }];
    }),
    conflicting: held.filter((claim) => hasOtherController(claim, owners)).map(nameOf),
    ending: held.filter(isDeleting).map(nameOf),
  };
}

/** A new claim has its owners from the start. */
function owned(claim: PersistentVolumeClaim, owners: Owners): PersistentVolumeClaim {
  const ownerReferences = ownersOfClaim(claim, owners);
  if (ownerReferences === undefined) return claim;
  return { ...claim, metadata: { ...claim.metadata, ownerReferences: [...ownerReferences] } };
}

function provision(pod: Pod, claims: ClaimWork): readonly Step[] {
  const isDone = [claims.create, claims.own, claims.ending].every((work) => work.length === 0);
  return isDone ? [] : [{ do: 'provide', pod, claims }];
}

/** Corrects the labels, volumes and claims of an existing pod to those of its ordinal. */
function correction(view: View, ordinal: number, pod: Pod): readonly Step[] {
  const { set } = view;
  const isChanged = !conforms(set, pod, ordinal);
  const work = claimWork(view, ordinal, pod);
  const claims: ClaimWork = isChanged ? work : { ...work, create: [], ending: [] };
  if (!isChanged && claims.own.length === 0) return [];
  return [{ do: 'update', pod: conforming(set, pod, ordinal), claims, isChanged }];
}

/** Sets the owners of claims that are deleted with pods before the pods are deleted. */
function condemnedClaims(view: View): Look {
  const steps = view.condemned.flatMap(({ pod, ordinal }) => {
    const claims = { ...claimWork(view, ordinal, pod), create: [], ending: [] };
    return provision(pod, claims);
  });
  return { steps, isBlocked: false };
}

/** Deletes surplus pods, highest ordinal first. In ordered mode, an unavailable pod is deleted only if it is the lowest unavailable one. */
function condemned(view: View): Look {
  const going = view.condemned.map(({ pod }) => pod);
  if (!isOrdered(view.set)) return { steps: deletions(going.filter((pod) => !isDeleting(pod))), isBlocked: false };
  const [highest] = going;
  if (highest === undefined) return NOTHING;
  const lowestUnavailable = going.findLast((pod) => !isAvailableIn(view, pod));
  const mayGo = !isDeleting(highest) && (isAvailableIn(view, highest) || highest === lowestUnavailable);
  return { steps: mayGo ? deletions([highest]) : [], isBlocked: true };
}

const deletions = (pods: readonly Pod[]): readonly Step[] => pods.map((pod) => ({ do: 'delete', pod }));

/** Deletes the highest pod of an old revision once all pods above it are available. */
function outdated(view: View): Look {
  const { set, byOrdinal, update } = view;
  if (set.spec.updateStrategy.type === 'OnDelete') return NOTHING;
  const start = startOf(set);
  for (let ordinal = start + replicasOf(set) - 1; ordinal >= start + partitionOf(set); ordinal--) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) return WAIT;
    if (revisionNameOf(pod) !== nameOf(update) && !isDeleting(pod)) return { steps: deletions([pod]), isBlocked: true };
    if (!isAvailableIn(view, pod)) return WAIT;
  }
  return NOTHING;
}
