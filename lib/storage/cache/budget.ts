import type { Clock } from '#lib/machinery/clock.ts';

/**
 * For this time in ms after its last use, a cache is not evicted. Otherwise two caches that do not both fit would evict each other in turn.
 */
const BUSY = 60_000;

/** A consumer of bytes in a budget. */
export interface Resident {
  /** The monotonic time of the last use. */
  readonly lastUsed: number;
  evict(): void;
}

/** The byte budget that all caches of a process share. Evicts the least recently used cache. */
export class ByteBudget {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #residents = new Map<Resident, number>();
  #total = 0;

  constructor(limit: number, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  get used(): number {
    return this.#total;
  }

  /** Sets the bytes that a resident uses. Returns false if they do not fit into the budget. The resident must then release its memory. */
  resize(resident: Resident, bytes: number): boolean {
    this.#set(resident, bytes);
    if (this.#total <= this.#limit) return true;
    for (const other of this.#idle(resident)) {
      other.evict();
      this.#set(other, 0);
      if (this.#total <= this.#limit) return true;
    }
    return false;
  }

  #set(resident: Resident, bytes: number): void {
    this.#total += bytes - (this.#residents.get(resident) ?? 0);
    if (bytes === 0) this.#residents.delete(resident);
    else this.#residents.set(resident, bytes);
  }

  /** The other residents that are not in use, the least recently used first. */
  #idle(resident: Resident): Resident[] {
    const now = this.#clock.monotonic();
    return [...this.#residents.keys()]
      .filter((other) => other !== resident && now - other.lastUsed > BUSY)
      .sort((a, b) => a.lastUsed - b.lastUsed);
  }
}
