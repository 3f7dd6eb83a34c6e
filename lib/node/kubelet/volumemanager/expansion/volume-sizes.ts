import { compareQuantities, signOf } from '#lib/machinery/resource/quantities.ts';

/** The sizes of a claim's volume as the API tells them, as quantities. */
export interface ClaimSizes {
  /** Of the persistent volume. */
  readonly desired: string;
  /** Of the claim's status. */
  readonly claimed: string;
}

interface Known {
  readonly size: string;
  /** The driver does not expand it while it is in use. */
  readonly isInUse: boolean;
  /** An expansion has failed for good. */
  readonly hasFailed: boolean;
}

/** The sizes that volumes have on this node, by unique name (upstream: actualStateOfWorld's persistentVolumeSize). */
export class VolumeSizes {
  readonly #known = new Map<string, Known>();

  /** Takes the size of the claim's status where none is known: at the first mount, and after a restart. */
  initialize(unique: string, { claimed }: ClaimSizes): void {
    const known = this.#known.get(unique);
    if (known === undefined || signOf(known.size) === 0) this.#put(unique, { size: claimed });
  }

  /** The size from which a volume has to grow; undefined where it need not. */
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

  /** Forgets a volume that no pod has any more. */
  forget(unique: string): void {
    this.#known.delete(unique);
  }

  #put(unique: string, change: Partial<Known>): void {
    const before = this.#known.get(unique) ?? { size: '0', isInUse: false, hasFailed: false };
    this.#known.set(unique, { ...before, ...change });
  }
}
