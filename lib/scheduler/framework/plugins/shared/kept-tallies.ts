import { Recent } from '#lib/machinery/recent.ts';
import type { Handle } from '../../interface.ts';
import { type Counting, DomainTally } from './domain-tally.ts';
import { podJournal } from './pod-journal.ts';

/** The maximum number of counts kept, one for each workload. */
const KEPT = 2000;

/** Counts kept between attempts, by key. Pods of the same workload share a count. */
export class KeptTallies<Of> {
  readonly #handle: Handle;
  readonly #tallies = new Recent<string, DomainTally<Of>>(KEPT);

  constructor(handle: Handle) {
    this.#handle = handle;
  }

  /** Returns the count for the current snapshot. A key must always stand for the same counting. */
  get(key: string, counting: () => Counting<Of>): DomainTally<Of> {
    return this.#tallies.get(key, 1, () => new DomainTally(counting())).update(podJournal(this.#handle));
  }
}
