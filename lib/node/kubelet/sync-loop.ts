import { aggregateText } from '#lib/machinery/aggregate.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';
import type { PodUpdate } from './config/pod-update.ts';
import type { Kubelet } from './kubelet.ts';
import type { PodLifecycleEvent } from './pleg/pod-lifecycle-event.ts';
import type { ProbeUpdate } from './prober/probe-manager.ts';
import type { RuntimeState } from './runtime-state.ts';
import type { PodSource } from './types/pod-update.ts';

/** Interval in ms between checks for pods that are due, and between cleanups. */
const SYNC = 1000;
const HOUSEKEEPING = 2000;
/** Interval in ms between checks of a runtime that does not respond. */
const BACKOFF = { duration: 100, factor: 2, cap: 5000 };

/** Grace period in ms for a runtime that has not responded yet: it may still be starting when the agent starts. */
const STARTING = 5000;

/** An event for the loop. */
type LoopEvent =
  | { readonly type: 'config'; readonly update: PodUpdate }
  | { readonly type: 'runtime'; readonly event: PodLifecycleEvent }
  | { readonly type: 'probe'; readonly update: ProbeUpdate }
  | { readonly type: 'sync'; readonly uids: readonly string[] };

/** The ports of the loop. */
export interface SyncLoopOptions {
  readonly kubelet: Pick<
    Kubelet,
    'handle' | 'handleLifecycleEvent' | 'handleProbe' | 'syncPods' | 'syncDuePods' | 'housekeep'
  >;
  readonly runtimeState: Pick<RuntimeState, 'runtimeErrors'>;
  readonly clock: Clock;
  /** Called when the loop has handled everything that the source has sent so far. */
  sourceSeen(source: PodSource): void;
  /** Called when a step failed. The loop continues. */
  report(message: string, error: unknown): void;
}

/** Handles events one at a time and queues them while the runtime is down (upstream: syncLoop). */
export class SyncLoop {
  readonly #options: SyncLoopOptions;
  readonly #events: LoopEvent[] = [];
  #wake: (() => void) | undefined;
  #syncDue: number;
  #housekeepingDue: number;
  #lastStep: number | undefined;

  constructor(options: SyncLoopOptions) {
    this.#options = options;
    const now = options.clock.monotonic();
    this.#syncDue = now + SYNC;
    this.#housekeepingDue = now + HOUSEKEEPING;
  }

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

  /** Monotonic time when the last step began or ended, or undefined before the first. The node's server derives its health from it. */
  get lastStep(): number | undefined {
    return this.#lastStep;
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, runtimeState, report } = this.#options;
    const begun = clock.monotonic();
    for (let failures = 0; !signal.aborted; ) {
      const errors = runtimeState.runtimeErrors();
      if (errors.length > 0) {
        const isStarting = this.#lastStep === undefined && clock.monotonic() - begun < STARTING;
        if (!isStarting) report('Skipping pod synchronization', new Error(aggregateText(errors)));
        await clock.sleep(delayAfter(++failures, BACKOFF), signal);
        continue;
      }
      failures = 0;
      this.#lastStep = clock.monotonic();
      await this.#step().catch((error: unknown) => report('cannot take a step of the sync loop', error));
      this.#lastStep = clock.monotonic();
      await this.#wait(signal);
    }
  }

  #push(event: LoopEvent): void {
    this.#events.push(event);
    this.#wake?.();
  }

  async #step(): Promise<void> {
    const { kubelet, clock } = this.#options;
    const event = this.#events.shift();
    if (event !== undefined) await this.#take(event);
    if (clock.monotonic() >= this.#syncDue) {
      this.#syncDue = clock.monotonic() + SYNC;
      kubelet.syncDuePods();
    }
    if (clock.monotonic() < this.#housekeepingDue) return;
    this.#housekeepingDue = clock.monotonic() + HOUSEKEEPING;
    await kubelet.housekeep();
  }

  async #take(event: LoopEvent): Promise<void> {
    const { kubelet } = this.#options;
    switch (event.type) {
      case 'config':
        try {
          return await kubelet.handle(event.update);
        } finally {
          this.#options.sourceSeen(event.update.source);
        }
      case 'runtime':
        kubelet.handleLifecycleEvent(event.event);
        return this.#takeRuntimeEvents();
      case 'probe':
        return kubelet.handleProbe(event.update);
      case 'sync':
        return kubelet.syncPods(event.uids);
      default:
        return event satisfies never;
    }
  }

  /** Handles the events of one relist together, before a worker starts. A pod whose sandbox and container started is synced once. */
  #takeRuntimeEvents(): void {
    for (let next = this.#events[0]; next?.type === 'runtime'; next = this.#events[0]) {
      this.#events.shift();
      this.#options.kubelet.handleLifecycleEvent(next.event);
    }
  }

  /** Waits until there is an event or something is due. */
  async #wait(signal: AbortSignal): Promise<void> {
    if (this.#events.length > 0) return;
    const waking = new AbortController();
    this.#wake = () => waking.abort();
    const due = Math.min(this.#syncDue, this.#housekeepingDue) - this.#options.clock.monotonic();
    await this.#options.clock.sleep(Math.max(0, due), AbortSignal.any([waking.signal, signal]));
  }
}
