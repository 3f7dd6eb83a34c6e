/** The age that log entries may reach; milliseconds. */
export interface RetentionAt {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly retention: number;
}

/**
 * Whether a log keeps an entry, and all entries after it, because of its commit time. A time further ahead than the retention was written
 * before the wall clock was set back. It does not show the age of the entry, and would keep the log from ever shrinking.
 */
export const isRetained = (time: number, { now, retention }: RetentionAt): boolean => Math.abs(now - time) <= retention;
