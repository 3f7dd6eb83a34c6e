import type { Event } from '#lib/api/types/events.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { instantOf, microTimeText } from '#lib/machinery/time.ts';
import { BoundedMap } from '../bounded-map.ts';

/** The maximum number of remembered events. Upstream has no limit. */
const MOST = 4096;
/** The time in ms without an occurrence after which a series ends. */
export const FINISH = 6 * 60_000;
/** The interval in ms at which the count of an ongoing series is written again. */
const REFRESH = 30 * 60_000;

/** An event and its occurrences. */
interface Occurrences {
  readonly event: Event;
  count: number;
  last: Moment;
  writtenCount: number;
  /** The monotonic time of the last write, in ms. */
  writtenAt: number;
}

/** A time on both clocks in ms. The wall clock dates a series. The monotonic clock, which is never set back, determines its end. */
interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

/**
 * Counts the occurrences of events in a process (upstream: tools/events, eventBroadcasterImpl). Events that differ only in their note count
 * as one event. The first occurrence creates it, the second makes it a series, and later ones are only counted. The count is written again
 * after 30 minutes, and six minutes after the last occurrence. Unlike upstream, ignores the object's resource version when comparing
 * events.
 */
export class EventSeries {
  /** The clock that dates the events. */
  readonly clock: Clock;
  readonly #occurrences = new BoundedMap<Occurrences>(MOST);
  #nextSweep = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /**
   * Returns the event to write for an occurrence. Create it if it has no series, otherwise patch it. Undefined if the occurrence is only
   * counted.
   */
  observe(event: Event): Event | undefined {
    const now = this.#now();
    const key = keyOf(event);
    const known = this.#occurrences.get(key);
    if (known === undefined) {
      this.#occurrences.set(key, { event, count: 1, last: now, writtenCount: 1, writtenAt: now.monotonic });
      return event;
    }
    known.count++;
    known.last = now;
    this.#occurrences.set(key, known);
    return known.count === 2 ? this.#written(known) : undefined;
  }

  /** Continues the series of the same event from an earlier process. Returns the event to patch. */
  resume(event: Event, count: number): Event {
    const now = this.#now();
    const resumed = { event, count: count + 1, last: now, writtenCount: count, writtenAt: now.monotonic };
    this.#occurrences.set(keyOf(event), resumed);
    return this.#written(resumed);
  }

  /** Returns the series whose counts are due, at most every six minutes. Forgets series that have ended. */
  due(): readonly Event[] {
    const now = this.clock.monotonic();
    if (now < this.#nextSweep) return [];
    this.#nextSweep = now + FINISH;
    const due: Event[] = [];
    for (const [key, occurrences] of this.#occurrences.entries()) {
      const hasEnded = now - occurrences.last.monotonic > FINISH;
      if (hasEnded) this.#occurrences.delete(key);
      const isDue = hasEnded || now - occurrences.writtenAt >= REFRESH;
      if (isDue && occurrences.count > occurrences.writtenCount) due.push(this.#written(occurrences));
    }
    return due;
  }

  #now(): Moment {
    return { wall: this.clock.now(), monotonic: this.clock.monotonic() };
  }

  #written(occurrences: Occurrences): Event {
    const { event, count, last } = occurrences;
    occurrences.writtenCount = count;
    occurrences.writtenAt = this.clock.monotonic();
    return { ...event, series: { count, lastObservedTime: microTimeText(instantOf(new Date(last.wall))) } };
  }
}

function keyOf({ type, action, reason, reportingController, reportingInstance, regarding, related }: Event): string {
  const objects = [regarding, related].map((one) => ({ ...one, resourceVersion: undefined }));
  return JSON.stringify([type, action, reason, reportingController, reportingInstance, objects]);
}
