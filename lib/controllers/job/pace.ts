import type { Clock } from '#lib/machinery/clock.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { generationOf, uidOf } from '#lib/machinery/meta.ts';

/** Milliseconds: upstream's SyncJobBatchPeriod. */
const PERIOD = 1000;

/** Keeps turns of one generation of a job apart, where they are noted: what happens to pods meanwhile is seen at once. */
export class Pace {
  readonly #clock: Clock;
  readonly #last = new Map<string, { readonly generation: number; readonly at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(job: JsonObject): void {
    this.#last.set(uidOf(job), { generation: generationOf(job), at: this.#clock.monotonic() });
  }

  /** Milliseconds to wait before the job's next turn. */
  before(job: JsonObject): number {
    const last = this.#last.get(uidOf(job));
    if (last === undefined || last.generation !== generationOf(job)) return 0;
    return Math.max(0, last.at + PERIOD - this.#clock.monotonic());
  }

  forget(uid: string): void {
    this.#last.delete(uid);
  }
}
