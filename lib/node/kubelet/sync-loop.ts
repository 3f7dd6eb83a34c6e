import { aggregateText } from '#lib/machinery/aggregate.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { PodUpdate } from './config/pod-update.ts';
import type { Kubelet } from './kubelet.ts';
import type { PodLifecycleEvent } from './pleg/pod-lifecycle-event.ts';
import type { ProbeUpdate } from './prober/probe-manager.ts';
import type { RuntimeState } from './runtime-state.ts';
import type { PodSource } from './types/pod-update.ts';

/** Milliseconds between looks for pods that are due, and between cleanups. */
const SYNC = 1000;
const HOUSEKEEPING = 2000;
/** Milliseconds between looks at a runtime that does not answer: at first, and at most. */
const BACKOFF = { first: 100, most: 5000 } as const;

/** Milliseconds in which a runtime that has not answered yet is no fault: a start of the agent meets it so. */
const STARTING = 5000;

/** An event that the loop takes. */
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
  /** All that a source told until now is taken. */
  sourceSeen(source: PodSource): void;
  /** A step failed; the loop goes on. */
  report(message: string, error: unknown): void;
}

/** Takes what happens, one thing after the other; what comes while the runtime does not answer waits (upstream: syncLoop). */
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

  /** A source changed something. */
  config(update: PodUpdate): void {
    this.#push({ type: 'config', update });
  }

  /** The runtime changed something. */
  runtimeEvent(event: PodLifecycleEvent): void {
    this.#push({ type: 'runtime', event });
  }

  /** A probe came to another result. */
  probe(update: ProbeUpdate): void {
    this.#push({ type: 'probe', update });
  }

  /** These pods are to be synced: a device of theirs changed. */
  sync(uids: readonly string[]): void {
    this.#push({ type: 'sync', uids });
  }

  /** When the last step began or ended, by the monotonic clock; undefined before the first. The node's server tells its health by it. */
  get lastStep(): number | undefined {
    return this.#lastStep;
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, runtimeState, report } = this.#options;
    const begun = clock.monotonic();
    for (let wait: number = BACKOFF.first; !signal.aborted; ) {
      const errors = runtimeState.runtimeErrors();
      if (errors.length > 0) {
        const isStarting = this.#lastStep === undefined && clock.monotonic() - begun < STARTING;
        if (!isStarting) report('Skipping pod synchronization', new Error(aggregateText(errors)));
        await clock.sleep(wait, signal);
        wait = Math.min(BACKOFF.most, 2 * wait);
        continue;
      }
      wait = BACKOFF.first;
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

  /** Events of one listing are taken together, before a worker starts: a pod whose sandbox and container started is synced once. */
  #takeRuntimeEvents(): void {
    for (let next = this.#events[0]; next?.type === 'runtime'; next = this.#events[0]) {
      this.#events.shift();
      this.#options.kubelet.handleLifecycleEvent(next.event);
    }
  }

  /** Until something happens, or is due. */
  async #wait(signal: AbortSignal): Promise<void> {
    if (this.#events.length > 0) return;
    const waking = new AbortController();
    this.#wake = () => waking.abort();
    const due = Math.min(this.#syncDue, this.#housekeepingDue) - this.#options.clock.monotonic();
    await this.#options.clock.sleep(Math.max(0, due), AbortSignal.any([waking.signal, signal]));
  }
}
