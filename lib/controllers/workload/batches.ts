import { StatusError } from '#lib/machinery/errors.ts';

/** Sizes of the batches in which so many are created: each follows only where the one before it went well. */
function* slowStart(number: number): Generator<number> {
  for (let left = number, size = 1; left > 0; left -= size, size = 2 * size) yield Math.min(size, left);
}

/** Works on all, in growing batches, until one of a batch is refused; gives the first refusal. */
export async function inSlowStart<T>(
  all: readonly T[],
  work: (one: T) => Promise<void>,
): Promise<StatusError | undefined> {
  let done = 0;
  for (const size of slowStart(all.length)) {
    const refusal = await firstRefusal(all.slice(done, (done += size)).map(work));
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/**
 * The first refusal among all works, undefined where there is none. All are waited for, so that a turn has ended before the next of
 * the same owner begins. Throws the first error that is no StatusError.
 */
export async function firstRefusal(works: readonly Promise<void>[]): Promise<StatusError | undefined> {
  const settled = await Promise.allSettled(works);
  const errors: unknown[] = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const other = errors.find((error) => !(error instanceof StatusError));
  if (other !== undefined) throw other;
  return errors.find((error) => error instanceof StatusError);
}
