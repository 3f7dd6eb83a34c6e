import type { Event } from '#lib/api/types/core.v1.ts';
import { creationTimeOf } from '#lib/machinery/meta.ts';
import { parseMicroTime } from '#lib/machinery/time.ts';
import { millisecondsOf } from '#lib/machinery/time-at.ts';

/** The time in ms that an event is kept after its last write: upstream's --event-ttl. */
export const TTL = 60 * 60 * 1000;
/** The interval in ms between two deletions, so that events that expire at about the same time are deleted together. */
const BATCH = 60_000;

/**
 * The time of an event's last write, from its own fields, in ms since 1970. Used by a process that did not observe the
 * write. Times set by clients count only if they lie between the event's creation and `now`.
 */
export function writtenAt(event: Event, now: number): number {
  const created = creationTimeOf(event)?.getTime() ?? now;
  const claimed = millisecondsOf(event.lastTimestamp) ?? millisecondsOf(event.eventTime, parseMicroTime) ?? created;
  return Math.min(now, Math.max(created, claimed));
}

/** The time in ms to wait, given the time of the oldest write. */
export const waitFor = (oldest: number, now: number): number => Math.max(BATCH, oldest + TTL - now);
