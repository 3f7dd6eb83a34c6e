import type { Job } from '#lib/api/types/batch.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { generationOf, uidOf } from '#lib/machinery/meta.ts';

/** The period in ms: upstream's SyncJobBatchPeriod. */
const PERIOD = 1000;

/** Spaces out the recorded reconciliations of one generation of a job. One reconciliation then covers all changes of pods in between. */
export class Pace {
  readonly #clock: Clock;
  readonly #last = new Map<string, { readonly generation: number; readonly at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records a reconciliation of the job that ends now. */
  note(job: Job): void {
    this.#last.set(uidOf(job), { generation: generationOf(job), at: this.#clock.monotonic() });
  }

  /** The time in ms to wait before the job's next reconciliation. */
  before(job: Job): number {
    const last = this.#last.get(uidOf(job));
    if (last === undefined || last.generation !== generationOf(job)) return 0;
    return Math.max(0, last.at + PERIOD - this.#clock.monotonic());
  }

  /** Forgets the reconciliations of the job with this uid. */
  forget(uid: string): void {
    this.#last.delete(uid);
  }
}
