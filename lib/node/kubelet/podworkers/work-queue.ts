import type { Clock } from '#lib/machinery/clock.ts';

/** Pods that are due for a sync (upstream: util/queue.WorkQueue). */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #due = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Schedules a pod in this many milliseconds. It replaces the pod's earlier schedule. */
  enqueue(uid: string, delay: number): void {
    this.#due.set(uid, this.#clock.monotonic() + delay);
  }

  /** Removes and returns the pods that are due. */
  take(): string[] {
    const now = this.#clock.monotonic();
    const uids = [...this.#due].flatMap(([uid, time]) => (time <= now ? [uid] : []));
    for (const uid of uids) this.#due.delete(uid);
    return uids;
  }
}
