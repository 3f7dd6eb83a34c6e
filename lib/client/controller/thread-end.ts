/**
 * An attempt that ended through no fault of its own: another attempt ended their thread, or the platform's invocation ended. It is made
 * again at once, and counts as no failure.
 */
export class Interrupted extends Error {
  /** Whether this attempt may itself have ended the thread. Then it is made again in a thread without others. */
  readonly isSuspect: boolean;

  constructor(message: string, { isSuspect = false } = {}) {
    super(message);
    this.name = 'Interrupted';
    this.isSuspect = isSuspect;
  }
}

/** An attempt that ended its thread, or had to be ended with it. It has no stack: this program's is not the author's. */
export class ThreadFault extends Error {
  constructor(message: string) {
    super(message);
    this.stack = `Error: ${message}`;
  }
}

/** An attempt that was not done in its time, and was ended. */
export class TimedOut extends ThreadFault {}
