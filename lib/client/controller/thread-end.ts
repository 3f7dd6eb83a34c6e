/**
 * An attempt that ended through no fault of its own: another attempt ended its thread, or the platform's invocation ended. It is retried
 * at once, and does not count as a failure.
 */
export class Interrupted extends Error {
  /** Whether this attempt itself may have ended the thread. It is then retried in a thread of its own. */
  readonly isSuspect: boolean;

  constructor(message: string, { isSuspect = false } = {}) {
    super(message);
    this.name = 'Interrupted';
    this.isSuspect = isSuspect;
  }
}

/** An attempt that ended its thread, or had to be ended with it. It has no stack, because this program's stack is not the author's. */
export class ThreadFault extends Error {
  constructor(message: string) {
    super(message);
    this.stack = `Error: ${message}`;
  }
}

/** An attempt that exceeded its time limit and was ended. */
export class TimedOut extends ThreadFault {}
