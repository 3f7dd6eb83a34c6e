import type { Clock } from '../clock.ts';

/** A signal that aborts at a time. Disposing it clears the timer. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
}

/** The clock of a time-out, and the name of its error. */
export interface DeadlineOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Returns the error of the time-out. Default a TimeoutError, as AbortSignal.timeout has it. */
  error?(): unknown;
}

/** Returns a signal that aborts with the error after `milliseconds` (Go: context.WithTimeoutCause). */
export function deadline(milliseconds: number, { clock, error = timeoutError }: DeadlineOptions): Deadline {
  const [late, disposed] = [new AbortController(), new AbortController()];
  void clock.sleep(milliseconds, disposed.signal).then(() => {
    if (!disposed.signal.aborted) late.abort(error());
  });
  return { signal: late.signal, [Symbol.dispose]: () => disposed.abort(DISPOSED) };
}

const timeoutError = (): Error => new DOMException('The operation was aborted due to timeout', 'TimeoutError');

/** An abort reason without the cost of a stack trace. */
const DISPOSED = 'disposed';
