/**
 * A value that is mostly there at once. A promise costs as much as an expression, and a hundred policies judge every
 * object.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on with a value now where it is there. */
export const soon = <T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  value instanceof Promise ? value.then(next) : next(value);

/** Hands what `work` throws, now or later, to `failed`. */
export function caught<T>(work: () => MaybePromise<T>, failed: (error: unknown) => T): MaybePromise<T> {
  try {
    const done = work();
    return done instanceof Promise ? done.catch(failed) : done;
  } catch (error) {
    return failed(error);
  }
}
