/** The current time and the age in ms that log entries may reach. */
export interface RetentionAt {
  /** The wall time in ms since 1970. */
  readonly now: number;
  readonly retention: number;
}

/**
 * Whether a log keeps an entry, and all entries after it, because of its commit time. If that time is further in the future than the
 * retention, the wall clock was set back after the entry was written. Such a time does not show the entry's age, and keeping the entry
 * would prevent the log from shrinking.
 */
export const isRetained = (time: number, { now, retention }: RetentionAt): boolean => Math.abs(now - time) <= retention;
