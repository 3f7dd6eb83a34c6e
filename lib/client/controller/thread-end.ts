/**
 * An attempt that ended because of an external event: another attempt ended its thread, or the platform's invocation ended. It is retried
 * immediately, and does not count as a failure.
 */
export class Interrupted extends Error {
  /** Whether this attempt itself may have ended the thread. It is then retried in a separate thread. */
  readonly isSuspect: boolean;

  constructor(message: string, { isSuspect = false } = {}) {
    super(message);
    this.name = 'Interrupted';
    this.isSuspect = isSuspect;
  }
}

/**
 * An attempt that crashed its thread, or had to be stopped with it. It has no stack, because this program's stack does not help the author.
 */
export class ThreadFault extends Error {
  constructor(message: string) {
    super(message);
    this.stack = `Error: ${message}`;
  }
}

/** An attempt that was stopped because it exceeded its time limit. */
export class TimedOut extends ThreadFault {}
