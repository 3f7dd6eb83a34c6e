import type { Job } from '#lib/api/types/batch.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { generationOf, uidOf } from '#lib/machinery/meta.ts';

/** Milliseconds: upstream's SyncJobBatchPeriod. */
const PERIOD = 1000;

/** Keeps turns of one generation of a job apart, where they are noted: one turn sees all changes of pods meanwhile. */
export class Pace {
  readonly #clock: Clock;
  readonly #last = new Map<string, { readonly generation: number; readonly at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes a turn of the job, which ends now. */
  note(job: Job): void {
    this.#last.set(uidOf(job), { generation: generationOf(job), at: this.#clock.monotonic() });
  }

  /** Milliseconds to wait before the job's next turn. */
  before(job: Job): number {
    const last = this.#last.get(uidOf(job));
    if (last === undefined || last.generation !== generationOf(job)) return 0;
    return Math.max(0, last.at + PERIOD - this.#clock.monotonic());
  }

  /** Forgets the turns of the job with this uid. */
  forget(uid: string): void {
    this.#last.delete(uid);
  }
}
