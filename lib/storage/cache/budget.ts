import type { Clock } from '#lib/machinery/clock.ts';

/** A cache that was used within this time is not evicted for another: two that do not fit together must not take turns. */
const BUSY = 60_000;

/** A holder of bytes under a budget. */
export interface Resident {
  /** Monotonic time of the last use. */
  readonly lastUsed: number;
  evict(): void;
}

/** The bytes that all caches of a process may hold together; who was not used longest makes room. */
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

  /** Says how much a resident holds now. False when that does not fit beside those in use: it is then to give up. */
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

  /** The others that are not in use, the longest unused first. */
  #idle(resident: Resident): Resident[] {
    const now = this.#clock.monotonic();
    return [...this.#residents.keys()]
      .filter((other) => other !== resident && now - other.lastUsed > BUSY)
      .sort((a, b) => a.lastUsed - b.lastUsed);
  }
}
