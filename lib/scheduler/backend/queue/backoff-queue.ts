import { Heap } from '../heap/heap.ts';
import { hasNoRejector, type QueuedPod, uidOfQueued } from './queued-pod.ts';

/** Milliseconds. Pods whose backoff ends in the same window are ordered among each other as those that are not backed off. */
const WINDOW = 1000;

/** The durations of backoff. */
export interface BackoffOptions {
  /** Milliseconds. */
  readonly initial: number;
  /** Milliseconds; 0: there is no backoff. */
  readonly max: number;
  /** Monotonic: a wall clock that is set back must hold no pod back. */
  now(): number;
  less(a: QueuedPod, b: QueuedPod): boolean;
}

/**
 * Pods that are to wait before they are tried again, twice as long each time: those that found no node, which are tried sooner where
 * nothing else is to do, and those that failed otherwise, which are not.
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

  /** When its backoff ends, by `now`; before all times where it has none. */
  expiryOf({ unschedulableCount, consecutiveErrors, timestamp }: QueuedPod): number {
    const count = consecutiveErrors > 0 ? consecutiveErrors : unschedulableCount;
    const { initial, max } = this.#options;
    if (max === 0 || count === 0) return Number.NEGATIVE_INFINITY;
    return windowOf(timestamp + Math.min(initial * 2 ** (count - 1), max));
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

  /** The first of those that found no node, whether or not its time has come. */
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

  /** When the first of those that failed may be tried again, by `now`. */
  nextDue(): number | undefined {
    const next = this.#failed.peek();
    return next === undefined ? undefined : this.expiryOf(next) + WINDOW;
  }
}

const windowOf = (time: number): number => time - (time % WINDOW);
