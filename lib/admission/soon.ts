/** What is mostly known at once: a hundred policies judge every object, and a promise costs as much as an expression. */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value now where it is there. */
export const soon = <T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> =>
  value instanceof Promise ? value.then(next) : next(value);
