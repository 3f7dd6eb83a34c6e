import { Recent } from '#lib/machinery/recent.ts';
import type { Handle } from '../../interface.ts';
import { type Counting, DomainTally } from './domain-tally.ts';
import { podJournal } from './pod-journal.ts';

/** Counts that are kept at most: those of as many workloads. */
const KEPT = 2000;

/** Counts by what they are of, kept from one attempt to the next: pods of one workload share theirs. */
export class KeptTallies<Of> {
  readonly #handle: Handle;
  readonly #tallies = new Recent<string, DomainTally<Of>>(KEPT);

  constructor(handle: Handle) {
    this.#handle = handle;
  }

  /** As the snapshot has it. The same key stands for the same counting. */
  get(key: string, counting: () => Counting<Of>): DomainTally<Of> {
    return this.#tallies.get(key, 1, () => new DomainTally(counting())).update(podJournal(this.#handle));
  }
}
