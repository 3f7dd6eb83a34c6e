/** Gives what `make` makes: it is called when the value is asked for first, and again after it rejected. */
export function madeOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let making: Promise<T> | undefined;
  return () =>
    (making ??= make().catch((error: unknown) => {
      making = undefined;
      throw error;
    }));
}
