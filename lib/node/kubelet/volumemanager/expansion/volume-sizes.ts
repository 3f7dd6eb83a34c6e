import { compareQuantities, signOf } from '#lib/machinery/resource/quantities.ts';

/** The sizes of a claim's volume according to the API, as quantities. */
export interface ClaimSizes {
  /** The size of the persistent volume. */
  readonly desired: string;
  /** The size in the claim's status. */
  readonly claimed: string;
}

interface Known {
  readonly size: string;
  /** The driver cannot expand the volume while it is in use. */
  readonly isInUse: boolean;
  /** An expansion has failed permanently. */
  readonly hasFailed: boolean;
}

/** The sizes that volumes have on this node, by unique name (upstream: actualStateOfWorld's persistentVolumeSize). */
export class VolumeSizes {
  readonly #known = new Map<string, Known>();

  /** Records the size in the claim's status if no size is known: at the first mount, and after a restart. */
  initialize(unique: string, { claimed }: ClaimSizes): void {
    const known = this.#known.get(unique);
    if (known === undefined || signOf(known.size) === 0) this.#put(unique, { size: claimed });
  }

  /** The current size of a volume that must be expanded, or undefined if it need not be. */
  growsFrom(unique: string, { desired }: ClaimSizes): string | undefined {
    const known = this.#known.get(unique);
    if (known === undefined || known.isInUse || signOf(known.size) === 0) return undefined;
    return compareQuantities(desired, known.size) > 0 ? known.size : undefined;
  }

  resized(unique: string, size: string): void {
    this.#put(unique, { size });
  }

  markInUse(unique: string): void {
    this.#put(unique, { isInUse: true });
  }

  markFailed(unique: string): void {
    this.#put(unique, { hasFailed: true });
  }

  hasFailed(unique: string): boolean {
    return this.#known.get(unique)?.hasFailed === true;
  }

  /** Forgets a volume that no pod uses any more. */
  forget(unique: string): void {
    this.#known.delete(unique);
  }

  #put(unique: string, change: Partial<Known>): void {
    const before = this.#known.get(unique) ?? { size: '0', isInUse: false, hasFailed: false };
    this.#known.set(unique, { ...before, ...change });
  }
}
