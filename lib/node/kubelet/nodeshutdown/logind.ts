/** A lock that delays a shutdown while it is held. */
export interface InhibitLock {
  /** Permits the shutdown. Further calls do nothing. */
  release(): void;
}

/** The part of logind that handles shutdowns. Methods reject if it does not respond. */
export interface Logind {
  /** The maximum delay of a shutdown by locks in milliseconds. */
  currentInhibitDelay(): Promise<number>;
  /** Configures this delay in logind and reloads it. The new value does not apply at once. */
  overrideInhibitDelay(milliseconds: number): Promise<void>;
  inhibitShutdown(): Promise<InhibitLock>;
  /**
   * The PrepareForShutdown signals: true before a shutdown, false if it was cancelled. Ends with the connection, or when the signal aborts.
   */
  monitorShutdown(signal: AbortSignal): AsyncIterable<boolean>;
}
