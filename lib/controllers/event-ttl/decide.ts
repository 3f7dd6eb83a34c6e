import type { JsonObject } from '#lib/machinery/json-value.ts';
import { creationTimeOf } from '#lib/machinery/meta.ts';
import { parseMicroTime } from '#lib/machinery/time.ts';
import { timeAt } from '#lib/machinery/time-at.ts';

/** Milliseconds that an event is kept after it was last written: upstream's --event-ttl. */
export const TTL = 60 * 60 * 1000;
/** Milliseconds between two deletions, so that what expires about together goes together. */
const BATCH = 60_000;

/**
 * When an event was last written, as far as it says so itself: what a process goes by that did not see the write. Clients'
 * clocks are believed as far as they lie between its creation and now.
 */
export function writtenAt(event: JsonObject, now: number): number {
  const created = creationTimeOf(event)?.getTime() ?? now;
  const claimed = timeAt(event, 'lastTimestamp') ?? timeAt(event, 'eventTime', parseMicroTime) ?? created;
  return Math.min(now, Math.max(created, claimed));
}

/** Milliseconds to wait, when the oldest was written at that time. */
export const waitFor = (oldest: number, now: number): number => Math.max(BATCH, oldest + TTL - now);
