/**
 * A value that is mostly there at once. A promise costs as much as an expression, and a hundred policies judge every
 * object.
 */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value now where it is there. */
export const soon = <T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> =>
  value instanceof Promise ? value.then(next) : next(value);

/** Hands what `work` throws, now or later, to `failed`. */
export function caught<T>(work: () => Soon<T>, failed: (error: unknown) => T): Soon<T> {
  try {
    const done = work();
    return done instanceof Promise ? done.catch(failed) : done;
  } catch (error) {
    return failed(error);
  }
}
