import { delayAfter } from '#lib/machinery/wait/backoff.ts';
import { Heap } from '../heap/heap.ts';
import { hasNoRejector, type QueuedPod, uidOfQueued } from './queued-pod.ts';

/** The window length in milliseconds. Pods whose backoff ends in the same window have the order of the active queue. */
const WINDOW = 1000;

/** The durations of backoff. */
export interface BackoffOptions {
  /** The first backoff in milliseconds. */
  readonly initial: number;
  /** The longest backoff in milliseconds; 0 disables backoff. */
  readonly max: number;
  /** The monotonic time in milliseconds, so that setting back the wall clock delays no pod. */
  now(): number;
  less(a: QueuedPod, b: QueuedPod): boolean;
}

/**
 * Pods that back off before their next attempt. The backoff doubles with each attempt.
 * Unschedulable pods are popped early if the active queue is empty. Pods that failed with an error are not.
 */
export class BackoffQueue {
  readonly #options: BackoffOptions;
  readonly #refused: Heap<QueuedPod>;
  readonly #failed: Heap<QueuedPod>;

  constructor(options: BackoffOptions) {
    this.#options = options;
    const less = (a: QueuedPod, b: QueuedPod): boolean => {
      const [first, second] = [this.expiryOf(a), this.expiryOf(b)];
      return first === second ? options.less(a, b) : first < second;
    };
    this.#refused = new Heap(uidOfQueued, less);
    this.#failed = new Heap(uidOfQueued, less);
  }

  get size(): number {
    return this.#refused.size + this.#failed.size;
  }

  /** The time at which the pod's backoff ends, on the clock `now`; -Infinity if the pod has no backoff. */
  expiryOf({ unschedulableCount, consecutiveErrors, timestamp }: QueuedPod): number {
    const count = consecutiveErrors > 0 ? consecutiveErrors : unschedulableCount;
    const { initial, max } = this.#options;
    if (max === 0 || count === 0) return Number.NEGATIVE_INFINITY;
    return windowOf(timestamp + delayAfter(count, { duration: initial, factor: 2, cap: max }));
  }

  isBackingOff(pod: QueuedPod): boolean {
    return this.expiryOf(pod) >= windowOf(this.#options.now());
  }

  add(pod: QueuedPod): void {
    this.delete(uidOfQueued(pod));
    (hasNoRejector(pod) ? this.#failed : this.#refused).add(pod);
  }

  get(uid: string): QueuedPod | undefined {
    return this.#refused.get(uid) ?? this.#failed.get(uid);
  }

  delete(uid: string): boolean {
    return this.#refused.delete(uid) || this.#failed.delete(uid);
  }

  /** Pops the first unschedulable pod, even if it still backs off. */
  popRefused(): QueuedPod | undefined {
    return this.#refused.pop();
  }

  popCompleted(): QueuedPod[] {
    return [this.#refused, this.#failed].flatMap((heap) => [...this.#completed(heap)]);
  }

  *#completed(heap: Heap<QueuedPod>): Generator<QueuedPod> {
    for (let pod = heap.peek(); pod !== undefined && !this.isBackingOff(pod); pod = heap.peek()) {
      heap.pop();
      yield pod;
    }
  }

  /** The time on the clock `now` at which the first failed pod completes its backoff. */
  nextDue(): number | undefined {
    const next = this.#failed.peek();
    return next === undefined ? undefined : this.expiryOf(next) + WINDOW;
  }
}

const windowOf = (time: number): number => time - (time % WINDOW);
