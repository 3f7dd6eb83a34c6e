import type { Event } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { TokenBucket } from '#lib/machinery/token-bucket.ts';
import { BoundedMap } from '../bounded-map.ts';

/** The maximum number of entries in each memory. */
const MOST = 4096;
/**
 * The number of similar events with different messages after which they are aggregated, and the time in ms without such an event after
 * which aggregation ends.
 */
const SIMILAR = 10;
const SIMILAR_FOR = 600_000;
/** The allowed burst of events about one object. After it, one event is allowed every five minutes. */
const BURST = 25;
const QPS = 1 / 300;
/** The time in ms after which the API server deletes an event. */
const TTL = 3_600_000;

/** An event to write. */
export interface Correlated {
  readonly event: Event;
  /** Whether it increments an event that was already written. */
  readonly isKnown: boolean;
  /** The event's key in the correlator's memory. */
  readonly key: string;
}

interface Observation {
  readonly count: number;
  readonly firstTimestamp: string | null;
  readonly name: string;
  /** The time in monotonic ms. */
  readonly last: number;
}

interface Similar {
  readonly messages: Set<string>;
  readonly last: number;
}

/**
 * Counts repeated events, aggregates similar ones, and drops events about an object with too many of them (upstream:
 * record.EventCorrelator).
 */
export class EventCorrelator {
  /** The clock that dates the events. */
  readonly clock: Clock;
  readonly #observations = new BoundedMap<Observation>(MOST);
  readonly #similar = new BoundedMap<Similar>(MOST);
  readonly #buckets = new BoundedMap<TokenBucket>(MOST);

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /**
   * Returns the write for an event. Undefined if the event is dropped. `nextName` returns the name of an event that aggregates similar
   * ones.
   */
  correlate(told: Event, nextName: () => string): Correlated | undefined {
    const { event, key } = this.#aggregated(told, nextName);
    const before = this.#observations.get(key);
    const counted =
      before === undefined
        ? event
        : {
            ...event,
            metadata: { ...event.metadata, name: before.name },
            firstTimestamp: before.firstTimestamp,
            count: before.count + 1,
          };
    this.#observe(key, counted);
    return this.#isSpam(counted) ? undefined : { event: counted, isKnown: before !== undefined, key };
  }

  /** Whether the same event with the same message was observed so recently that the API server still stores it. */
  hasObserved(event: Event): boolean {
    const known = this.#observations.get(eventKey(event));
    return known !== undefined && this.clock.monotonic() - known.last < TTL;
  }

  /** Remembers the event of a key as the API server stored it. */
  written(key: string, event: Event): void {
    this.#observe(key, event);
  }

  /** Forgets an event that could not be written. */
  failed(key: string): void {
    this.#observations.delete(key);
  }

  #observe(key: string, { count = 0, firstTimestamp, metadata: { name = '' } }: Event): void {
    this.#observations.set(key, { count, firstTimestamp, name, last: this.clock.monotonic() });
  }

  #aggregated(event: Event, nextName: () => string): { event: Event; key: string } {
    const key = aggregateKey(event);
    const now = this.clock.monotonic();
    const held = this.#similar.get(key);
    const messages = held === undefined || now - held.last > SIMILAR_FOR ? new Set<string>() : held.messages;
    messages.add(event.message ?? '');
    this.#similar.set(key, { messages, last: now });
    if (messages.size < SIMILAR) return { event, key: eventKey(event) };
    const [first] = messages;
    if (first !== undefined) messages.delete(first);
    const time = timeOf(this.clock.now());
    const metadata = { ...event.metadata, name: nextName() };
    const message = `(combined from similar events): ${event.message}`;
    return { event: { ...event, metadata, message, count: 1, firstTimestamp: time, lastTimestamp: time }, key };
  }

  #isSpam(event: Event): boolean {
    const key = [...objectKey(event), event.type].join('\0');
    const bucket = this.#buckets.get(key) ?? new TokenBucket({ qps: QPS, burst: BURST, clock: this.clock });
    this.#buckets.set(key, bucket);
    return !bucket.allow();
  }
}

const objectKey = ({ source, involvedObject: { kind, namespace, name, uid, apiVersion } }: Event): unknown[] => [
  source.component,
  source.host,
  kind,
  namespace,
  name,
  uid,
  apiVersion,
];

const eventKey = (event: Event): string =>
  [...objectKey(event), event.involvedObject.fieldPath, event.type, event.reason, event.message].join('\0');

const aggregateKey = (event: Event): string =>
  [...objectKey(event), event.type, event.reason, event.reportingComponent, event.reportingInstance].join('\0');
