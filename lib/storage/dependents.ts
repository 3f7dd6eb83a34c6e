import type { Summary } from './sequence.ts';

/**
 * Finds the objects that reference an owner, over all sequences of a logical cluster. The index is written next to the folded state. It
 * lacks objects that are not folded yet, and may briefly contain outdated ones. Readers check each object again. Watches report new
 * dependents immediately.
 */
export interface DependentsIndex {
  /** Keys of folded objects that have an owner reference with this uid, in order. Throws StoreError. */
  dependents(cluster: string, owner: string): Promise<readonly string[]>;
}

/** The maximum length of a uid. Uids from a server have 36 characters, so no object has a longer one. */
const LONGEST_UID = 64;

/** The owners under which an object is indexed. */
export function ownersIn({ ownerReferences }: Pick<Summary, 'ownerReferences'>): ReadonlySet<string> {
  const uids = ownerReferences.map(({ uid }) => uid);
  return new Set(uids.filter((uid) => uid !== '' && uid.length <= LONGEST_UID));
}
