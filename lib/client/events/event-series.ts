import type { Event } from '#lib/api/types/events.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { instantOf, microTimeText } from '#lib/machinery/time.ts';
import { BoundedMap } from '../bounded-map.ts';

/** Events that are remembered at most. Upstream has no bound. */
const MOST = 4096;
/** Milliseconds without an occurrence after which a series ends. */
export const FINISH = 6 * 60_000;
/** Milliseconds after which the count of a series that goes on is written again. */
const REFRESH = 30 * 60_000;

/** An event and its occurrences; times are milliseconds since 1970. */
interface Occurrences {
  readonly event: Event;
  count: number;
  last: number;
  writtenCount: number;
  writtenAt: number;
}

/**
 * Counts the occurrences of events in a process (upstream: tools/events, eventBroadcasterImpl). Events that differ in their note
 * alone are one: the first is created, the second makes it a series, later ones are only counted. The count is written again after
 * 30 minutes, and six minutes after the last occurrence. Upstream also tells events apart by the object's resource version.
 */
export class EventSeries {
  /** The clock that dates the events. */
  readonly clock: Clock;
  readonly #occurrences = new BoundedMap<Occurrences>(MOST);
  #nextSweep = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** The event to write for an occurrence: without a series to create, with one to patch. Undefined if it is only counted. */
  observe(event: Event): Event | undefined {
    const now = this.clock.now();
    const key = keyOf(event);
    const known = this.#occurrences.get(key);
    if (known === undefined) {
      this.#occurrences.set(key, { event, count: 1, last: now, writtenCount: 1, writtenAt: now });
      return event;
    }
    known.count++;
    known.last = now;
    this.#occurrences.set(key, known);
    return known.count === 2 ? this.#written(known) : undefined;
  }

  /** Continues the series of the same event of an earlier process. Returns the event to patch. */
  resume(event: Event, count: number): Event {
    const now = this.clock.now();
    const resumed = { event, count: count + 1, last: now, writtenCount: count, writtenAt: now };
    this.#occurrences.set(keyOf(event), resumed);
    return this.#written(resumed);
  }

  /** The series whose count has to be written, at most every six minutes. Forgets what ended. */
  due(): readonly Event[] {
    const now = this.clock.now();
    if (now < this.#nextSweep) return [];
    this.#nextSweep = now + FINISH;
    const due: Event[] = [];
    for (const [key, occurrences] of this.#occurrences.entries()) {
      const hasEnded = now - occurrences.last > FINISH;
      if (hasEnded) this.#occurrences.delete(key);
      const isDue = hasEnded || now - occurrences.writtenAt >= REFRESH;
      if (isDue && occurrences.count > occurrences.writtenCount) due.push(this.#written(occurrences));
    }
    return due;
  }

  #written(occurrences: Occurrences): Event {
    const { event, count, last } = occurrences;
    occurrences.writtenCount = count;
    occurrences.writtenAt = this.clock.now();
    return { ...event, series: { count, lastObservedTime: microTimeText(instantOf(new Date(last))) } };
  }
}

function keyOf({ type, action, reason, reportingController, reportingInstance, regarding, related }: Event): string {
  const objects = [regarding, related].map((one) => ({ ...one, resourceVersion: undefined }));
  return JSON.stringify([type, action, reason, reportingController, reportingInstance, objects]);
}
