import { StatusError } from '#lib/machinery/errors.ts';

/** The batch sizes for a number of creations. Each batch follows only if the one before succeeded. */
function* slowStart(number: number): Generator<number> {
  for (let left = number, size = 1; left > 0; left -= size, size = 2 * size) yield Math.min(size, left);
}

/** Processes all items in growing batches until one is refused. Returns the first refusal. */
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
 * The first refusal of all tasks, undefined if there is none. It waits for all tasks, so that a reconciliation is over before the next one
 * of the same owner starts. Throws the first error that is not a StatusError.
 */
export async function firstRefusal(works: readonly Promise<void>[]): Promise<StatusError | undefined> {
  const settled = await Promise.allSettled(works);
  const errors: unknown[] = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const other = errors.find((error) => !(error instanceof StatusError));
  if (other !== undefined) throw other;
  return errors.find((error) => error instanceof StatusError);
}
