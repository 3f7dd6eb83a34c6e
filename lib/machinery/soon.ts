/**
 * A value that is usually available immediately. Avoiding a promise matters: it costs as much as evaluating an expression, and a hundred
 * policies may evaluate every object.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Calls `next` immediately if the value is available, otherwise when it resolves. */
export const soon = <T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  value instanceof Promise ? value.then(next) : next(value);

/** Passes an error of `work`, thrown or rejected, to `failed`. */
export function caught<T>(work: () => MaybePromise<T>, failed: (error: unknown) => T): MaybePromise<T> {
  try {
    const done = work();
    return done instanceof Promise ? done.catch(failed) : done;
  } catch (error) {
    return failed(error);
  }
}
