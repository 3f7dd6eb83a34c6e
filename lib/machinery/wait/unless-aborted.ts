import type { Clock } from '../clock.ts';
import { onAbort } from './on-abort.ts';

/** The consequences of an abort. */
export interface AbortOptions {
  /** Returns the error to reject with. Default the signal's reason. */
  error?(): unknown;
  /** The time in ms of the clock for which aborted work may continue. Default none. */
  readonly grace?: { readonly clock: Pick<Clock, 'sleep'>; readonly milliseconds: number };
}

/**
 * Settles like `work`, or rejects when the signal aborts first. The outcome of abandoned work is dropped, and its rejection counts as
 * handled. No timer or listener remains. `using` would add 1 KB to a bundle and some objects to each call.
 */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  { error, grace }: AbortOptions = {},
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  work.then(resolve, reject);
  const abandon = (): void => reject(error === undefined ? signal.reason : error());
  let settled: AbortController | undefined;
  const listener = onAbort(signal, () => {
    if (grace === undefined) return abandon();
    settled = new AbortController();
    void grace.clock.sleep(grace.milliseconds, settled.signal).then(abandon);
  });
  try {
    return await promise;
  } finally {
    listener[Symbol.dispose]();
    settled?.abort(SETTLED);
  }
}

/** Settles like `work`, or resolves with undefined when the signal aborts first. */
export const untilAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> =>
  unlessAborted(work, signal, { error: () => ABORTED }).catch((error: unknown) => {
    if (error !== ABORTED) throw error;
    return undefined;
  });

/** Rejections and abort reasons without the cost of a stack trace. */
const [ABORTED, SETTLED] = [Symbol('aborted'), Symbol('settled')];
