import type { PodUpdate } from './config/pod-update.ts';
import type { PodLifecycleEvent } from './pleg/pod-lifecycle-event.ts';
import type { ProbeUpdate } from './prober/probe-manager.ts';

/** An event for the sync loop. */
export type LoopEvent =
  | { readonly type: 'config'; readonly update: PodUpdate }
  | { readonly type: 'runtime'; readonly event: PodLifecycleEvent }
  | { readonly type: 'probe'; readonly update: ProbeUpdate }
  | { readonly type: 'sync'; readonly uids: readonly string[] };

/**
 * The queue of the sync loop (upstream: the channels that syncLoop reads). The parts of a node's pods write to it, and are created before
 * the loop.
 */
export class SyncLoopEvents {
  readonly #events: LoopEvent[] = [];
  #wake: (() => void) | undefined;

  /** Queues an update from a pod source. */
  config(update: PodUpdate): void {
    this.#push({ type: 'config', update });
  }

  /** Queues an event of the runtime. */
  runtimeEvent(event: PodLifecycleEvent): void {
    this.#push({ type: 'runtime', event });
  }

  /** Queues a changed result of a probe. */
  probe(update: ProbeUpdate): void {
    this.#push({ type: 'probe', update });
  }

  /** Requests a sync of these pods, because one of their devices changed. */
  sync(uids: readonly string[]): void {
    this.#push({ type: 'sync', uids });
  }

  /** Removes and returns the first event. Undefined if the queue is empty. */
  take(): LoopEvent | undefined {
    return this.#events.shift();
  }

  /** Removes and returns the first event if it is one of the runtime. */
  takeRuntimeEvent(): PodLifecycleEvent | undefined {
    const [first] = this.#events;
    if (first?.type !== 'runtime') return undefined;
    this.#events.shift();
    return first.event;
  }

  get isEmpty(): boolean {
    return this.#events.length === 0;
  }

  /** A signal that aborts when the next event is queued. Each call replaces the previous signal. */
  arrival(): AbortSignal {
    const waking = new AbortController();
    this.#wake = () => waking.abort();
    return waking.signal;
  }

  #push(event: LoopEvent): void {
    this.#events.push(event);
    this.#wake?.();
  }
}
