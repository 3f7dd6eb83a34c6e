/** A lock that delays a shutdown for as long as it is held. */
export interface InhibitLock {
  /** Lets the machine go down. Twice is once. */
  release(): void;
}

/** The machine's logind, as far as shutdowns need it. Methods reject where it does not answer. */
export interface Logind {
  /** Milliseconds for which locks delay a shutdown at most. */
  currentInhibitDelay(): Promise<number>;
  /** Has logind read a configuration with this delay. The new value is not there at once. */
  overrideInhibitDelay(milliseconds: number): Promise<void>;
  inhibitShutdown(): Promise<InhibitLock>;
  /** The signals PrepareForShutdown: true before a shutdown, false where it was cancelled. Ends with the connection, or when the signal aborts. */
  monitorShutdown(signal: AbortSignal): AsyncIterable<boolean>;
}
