import type { JsonObject } from '#lib/machinery/json-value.ts';
import { finalizersOf, type OwnerReference } from '#lib/machinery/meta.ts';

/** The finalizer of an owner that waits for its dependents to be released. */
export const ORPHAN = 'orphan';
/** The finalizer of an owner that waits for its dependents to be deleted. */
export const FOREGROUND = 'foregroundDeletion';

/** The state of an owner from a live read. `waiting`: it waits for its dependents to be deleted. */
export type OwnerState = 'solid' | 'dangling' | 'waiting';

/** A reference, and the state of the owner that it names. */
export interface Owner {
  readonly reference: OwnerReference;
  readonly state: OwnerState;
}

/** The parts of a dependent that decisions need. */
export interface Dependent {
  readonly owners: readonly OwnerReference[];
  readonly foreground: boolean;
}

/** The action on an object that is not being deleted. */
export type Decision =
  | { readonly action: 'keep' }
  /** Removes the references to these owners. */
  | { readonly action: 'release'; readonly uids: readonly string[] }
  | {
      readonly action: 'delete';
      readonly policy: 'Background' | 'Foreground' | 'Orphan';
      /** Whether all references of the object must first be changed to block no owner. */
      readonly unblock: boolean;
    };

const KEEP: Decision = { action: 'keep' };

/** Decides the action on an object that is not being deleted: upstream's attemptToDeleteItem. */
export function decideDependent(
  object: JsonObject,
  owners: readonly Owner[],
  dependents: readonly Dependent[],
): Decision {
  if (owners.length === 0) return KEEP;
  const gone = owners.filter(({ state }) => state !== 'solid');
  if (gone.length < owners.length)
    return gone.length === 0 ? KEEP : { action: 'release', uids: gone.map(({ reference }) => reference.uid) };
  if (owners.some(({ state }) => state === 'waiting') && dependents.length > 0) {
    // A dependent that also waits may be part of a cycle of objects that block each other.
    return { action: 'delete', policy: 'Foreground', unblock: dependents.some(({ foreground }) => foreground) };
  }
  return { action: 'delete', policy: policyOf(finalizersOf(object)), unblock: false };
}

function policyOf(finalizers: readonly string[]): 'Background' | 'Foreground' | 'Orphan' {
  if (finalizers.includes(ORPHAN)) return 'Orphan';
  return finalizers.includes(FOREGROUND) ? 'Foreground' : 'Background';
}

/** The dependents that block an owner in foreground deletion. */
export function blocking<T extends Dependent>(uid: string, dependents: readonly T[]): T[] {
  return dependents.filter(({ owners }) => owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion));
}
