import type { Clock } from '#lib/machinery/clock.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';

/**
 * Returns the response of `ask`, or throws TransportError with Go's text after the time-out in ms and aborts the signal of `ask`. That signal also
 * aborts with `signal`, even later, which ends a body that is still being read.
 */
export async function within<T>(
  clock: Clock,
  { milliseconds, signal }: { readonly milliseconds: number; readonly signal: AbortSignal },
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const answered = new AbortController();
  const asked = ask(AbortSignal.any([signal, late.signal]));
  const timer = clock.sleep(milliseconds, answered.signal).then((): T | Promise<T> => {
    if (answered.signal.aborted) return asked;
    const error = new TransportError('context deadline exceeded (Client.Timeout exceeded while awaiting headers)');
    late.abort(error);
    throw error;
  });
  try {
    return await Promise.race([asked, timer]);
  } finally {
    answered.abort('answered');
  }
}
