import { delayAfter } from '#lib/machinery/wait/backoff.ts';

/** Delay in ms before the first retry, and the maximum. Same as upstream. */
const DELAY = { duration: 500, factor: 2, cap: 122_000 };

/** Delays failing operations (upstream: exponentialbackoff). Operations are identified by name. Times are monotonic, in ms. */
export class OperationBackoff {
  readonly #failed = new Map<string, { readonly failures: number; readonly at: number }>();

  /** Whether the operation may start at this time. */
  mayStart(operation: string, now: number): boolean {
    const failed = this.#failed.get(operation);
    return failed === undefined || now - failed.at > delayAfter(failed.failures, DELAY);
  }

  /** Whether the last attempt failed and the next one may start. */
  isDue(operation: string, now: number): boolean {
    return this.#failed.has(operation) && this.mayStart(operation, now);
  }

  failed(operation: string, now: number): void {
    const failures = (this.#failed.get(operation)?.failures ?? 0) + 1;
    this.#failed.set(operation, { failures, at: now });
  }

  /** Forgets the failures of an operation. Called when it succeeded or is no longer the same. */
  reset(operation: string): void {
    this.#failed.delete(operation);
  }
}
