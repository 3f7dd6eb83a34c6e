import { Expiring } from '#lib/machinery/expiring.ts';

/** The maximum number of calls per second for one version of an object. More calls indicate a loop that only `requeueAfter` drives. */
const MAX_CALLS_PER_SECOND = 10;
const SECOND_MS = 1_000;
/** The interval at which a loop is reported. */
const REPORT_INTERVAL_MS = 60_000;
const MAX_OBJECTS = 1_000;

interface Calls {
  readonly version: string;
  count: number;
}

/** Counts the calls of a reconciler for objects that do not change. Keeps the last 1,000 objects. */
export class HotLoops {
  readonly #calls = new Expiring<Calls>(MAX_OBJECTS);

  /**
   * Counts a call at `now`, in monotonic milliseconds. Returns true if the call exceeds the limit, at most once a minute for each object.
   */
  isHot(key: string, version: string, now: number): boolean {
    const calls = this.#calls.get(key, now);
    if (calls?.version !== version) {
      this.#calls.set(key, { version, count: 1 }, now + SECOND_MS);
      return false;
    }
    calls.count++;
    if (calls.count !== MAX_CALLS_PER_SECOND + 1) return false;
    this.#calls.set(key, calls, now + REPORT_INTERVAL_MS);
    return true;
  }
}
