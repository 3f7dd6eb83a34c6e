import type { Clock } from '../clock.ts';
import { onAbort } from './on-abort.ts';

/** A signal that aborts at a given time. Disposing it clears the timer, and the signal then never aborts. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
}

/** The clock of a time-out, its error, and a signal that ends it earlier. */
export interface DeadlineOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Returns the error of the time-out. Default: a TimeoutError, like AbortSignal.timeout. */
  error?(): unknown;
  /** When this signal aborts, the deadline's signal aborts early with the same reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns a signal that aborts with the error after `milliseconds` (Go: context.WithTimeoutCause). Unlike AbortSignal.any, it leaves no
 * reference in a long-lived `signal`.
 */
export function deadline(milliseconds: number, { clock, error = timeoutError, signal }: DeadlineOptions): Deadline {
  const [late, disposed] = [new AbortController(), new AbortController()];
  const listener = signal && onAbort(signal, () => late.abort(signal.reason));
  void clock.sleep(milliseconds, disposed.signal).then(() => {
    if (!disposed.signal.aborted) late.abort(error());
  });
  const dispose = (): void => {
    listener?.[Symbol.dispose]();
    disposed.abort(DISPOSED);
  };
  return { signal: late.signal, [Symbol.dispose]: dispose };
}

const timeoutError = (): Error => new DOMException('The operation was aborted due to timeout', 'TimeoutError');

/** An abort reason without the cost of a stack trace. */
const DISPOSED = 'disposed';
