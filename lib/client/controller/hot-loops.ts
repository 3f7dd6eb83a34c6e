import { Expiring } from '#lib/machinery/expiring.ts';

/** Calls a second for one object in one version; more are a loop that nothing but `requeueAfter` drives. */
const MAX_CALLS_PER_SECOND = 10;
const SECOND_MS = 1_000;
/** A loop is reported once in so long. */
const REPORT_INTERVAL_MS = 60_000;
const MAX_OBJECTS = 1_000;

interface Calls {
  readonly version: string;
  count: number;
}

/** Counts the calls of a reconciler for objects that do not change. Keeps the last 1,000 objects. */
export class HotLoops {
  readonly #calls = new Expiring<Calls>(MAX_OBJECTS);

  /** Counts a call at `now`, in monotonic milliseconds. Returns true if it is one too many in its second, once a minute for each object. */
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
