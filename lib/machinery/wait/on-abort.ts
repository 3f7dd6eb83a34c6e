/** Calls `abort` when the signal aborts, or at once if it already has. Disposing the result removes the listener. */
export function onAbort(signal: AbortSignal, abort: () => void): Disposable {
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', abort) };
}

/** Resolves when the signal aborts. */
export const aborted = (signal: AbortSignal): Promise<void> => new Promise((resolve) => void onAbort(signal, resolve));
