/** Delay in ms before the first retry, and the maximum. */
const [INITIAL, MAX] = [500, 122_000];

/** Delays failing operations: the delay doubles after each failure (upstream: exponentialbackoff). */
export class OperationBackoff {
  readonly #failed = new Map<string, { readonly at: number; readonly wait: number }>();

  /** Whether the operation may start at this time, in milliseconds. */
  mayStart(operation: string, now: number): boolean {
    const failed = this.#failed.get(operation);
    return failed === undefined || now - failed.at > failed.wait;
  }

  /** Whether the last attempt failed and the next one may start. */
  isDue(operation: string, now: number): boolean {
    return this.#failed.has(operation) && this.mayStart(operation, now);
  }

  failed(operation: string, now: number): void {
    const wait = this.#failed.get(operation)?.wait ?? INITIAL / 2;
    this.#failed.set(operation, { at: now, wait: Math.min(wait * 2, MAX) });
  }

  succeeded(operation: string): void {
    this.#failed.delete(operation);
  }
}
