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

/** Folds several changes of one object in a row into one change of its entries. */
export class OwnersFolded {
  readonly #passed: Set<string>;
  /** Those that it has had all the time: their entries are there, and right. */
  #kept: ReadonlySet<string>;
  #now: ReadonlySet<string>;

  /** `before`: the state that the first change replaced. */
  constructor(before: Pick<Summary, 'ownerReferences'> | undefined) {
    this.#now = before === undefined ? new Set() : ownersIn(before);
    this.#kept = this.#now;
    this.#passed = new Set(this.#now);
  }

  /** Takes the next state; undefined where the object went. */
  take(state: Pick<Summary, 'ownerReferences'> | undefined): void {
    this.#now = state === undefined ? new Set() : ownersIn(state);
    this.#kept = this.#kept.intersection(this.#now);
    for (const owner of this.#now) this.#passed.add(owner);
  }

  /** The owners to enter: also one that was lost and came back, whose end an earlier, late fold may still enter. */
  get added(): readonly string[] {
    return [...this.#now].filter((owner) => !this.#kept.has(owner));
  }

  get gone(): readonly string[] {
    return [...this.#passed].filter((owner) => !this.#now.has(owner));
  }
}
