import type { Summary } from './sequence.ts';

/**
 * Finds the objects that reference an owner, over all sequences of a logical cluster. The index is written next to the folded state. It
 * lacks objects that are not folded yet, and may briefly contain outdated ones. Readers check the object again. Watches report new
 * dependents at once.
 */
export interface DependentsIndex {
  /** Keys of folded objects that have an owner reference with this uid, in order. Throws StoreError. */
  dependents(cluster: string, owner: string): Promise<readonly string[]>;
}

/** A server's uids have 36 characters. A longer uid belongs to no object. */
const LONGEST_UID = 64;

/** The owners under which an object is indexed. */
export function ownersIn({ ownerReferences }: Pick<Summary, 'ownerReferences'>): ReadonlySet<string> {
  const uids = ownerReferences.map(({ uid }) => uid);
  return new Set(uids.filter((uid) => uid !== '' && uid.length <= LONGEST_UID));
}
