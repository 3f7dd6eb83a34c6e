import type { Summary } from './sequence.ts';

/**
 * Which objects name an owner, over all sequences of a logical cluster: written beside the folded state, so it lacks what is not
 * folded yet, and may hold for a moment what no longer is. Readers look at the object again; who needs to know of a dependent at
 * once is told by its change.
 */
export interface DependentsIndex {
  /** Keys of folded objects that have an owner reference with this uid, in order. Throws StoreError. */
  dependents(cluster: string, owner: string): Promise<readonly string[]>;
}

/** A server gives uids of 36; what is longer names no object. */
const LONGEST_UID = 64;

/** The owners by whom an object is found. */
export function ownersIn({ ownerReferences }: Pick<Summary, 'ownerReferences'>): ReadonlySet<string> {
  const uids = ownerReferences.map(({ uid }) => uid);
  return new Set(uids.filter((uid) => uid !== '' && uid.length <= LONGEST_UID));
}
