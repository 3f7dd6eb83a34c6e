import type { Event } from '#lib/api/types/core.v1.ts';
import { creationTimeOf } from '#lib/machinery/meta.ts';
import { parseMicroTime } from '#lib/machinery/time.ts';
import { millisecondsOf } from '#lib/machinery/time-at.ts';

/** Milliseconds that an event is kept after it was last written: upstream's --event-ttl. */
export const TTL = 60 * 60 * 1000;
/** Milliseconds between two deletions, so that what expires about together goes together. */
const BATCH = 60_000;

/**
 * The time when an event was last written, by its own times, in milliseconds since 1970. For a process that did not see the
 * write. Times of clients count as far as they lie between the event's creation and `now`.
 */
export function writtenAt(event: Event, now: number): number {
  const created = creationTimeOf(event)?.getTime() ?? now;
  const claimed = millisecondsOf(event.lastTimestamp) ?? millisecondsOf(event.eventTime, parseMicroTime) ?? created;
  return Math.min(now, Math.max(created, claimed));
}

/** Milliseconds to wait, when the oldest was written at that time. */
export const waitFor = (oldest: number, now: number): number => Math.max(BATCH, oldest + TTL - now);
