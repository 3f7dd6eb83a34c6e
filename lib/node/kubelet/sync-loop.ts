import { aggregateText } from '#lib/machinery/aggregate.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';
import type { Kubelet } from './kubelet.ts';
import type { RuntimeState } from './runtime-state.ts';
import type { LoopEvent, SyncLoopEvents } from './sync-loop-events.ts';
import type { PodSource } from './types/pod-update.ts';

/** Interval in ms between checks for pods that are due, and between cleanups. */
const SYNC = 1000;
const HOUSEKEEPING = 2000;
/** Interval in ms between checks of a runtime that does not respond. */
const BACKOFF = { duration: 100, factor: 2, cap: 5000 };

/** Grace period in ms for a runtime that has not responded yet: it may still be starting when the agent starts. */
const STARTING = 5000;

/** Minimum time in ms without a step after which the loop is unhealthy. */
const UNHEALTHY_AFTER = 300_000;

/** The ports of the loop. */
export interface SyncLoopOptions {
  readonly kubelet: Pick<
    Kubelet,
    'handle' | 'handleLifecycleEvent' | 'handleProbe' | 'syncPods' | 'syncDuePods' | 'housekeep'
  >;
  /** The queue that the loop reads. */
  readonly events: SyncLoopEvents;
  readonly runtimeState: Pick<RuntimeState, 'runtimeErrors'>;
  readonly clock: Clock;
  /** Interval in ms between syncs of a pod. */
  readonly syncFrequency: number;
  /** Called when the loop has handled everything that the source has sent so far. */
  sourceSeen(source: PodSource): void;
  /** Called when a step failed. The loop continues. */
  report(message: string, error: unknown): void;
}

/** Handles events one at a time and queues them while the runtime is down (upstream: syncLoop). */
export class SyncLoop {
  readonly #options: SyncLoopOptions;
  #syncDue: number;
  #housekeepingDue: number;
  /** Monotonic time when the last step began or ended. */
  #lastStep: number | undefined;

  constructor(options: SyncLoopOptions) {
    this.#options = options;
    const now = options.clock.monotonic();
    this.#syncDue = now + SYNC;
    this.#housekeepingDue = now + HOUSEKEEPING;
  }

  /**
   * The reason why the loop is unhealthy: it took no step for two sync periods of a pod, and for at least five minutes. Undefined
   * otherwise, and before the first step (upstream: SyncLoopHealthCheck).
   */
  fault(): string | undefined {
    const { clock, syncFrequency } = this.#options;
    const since = this.#lastStep ?? clock.monotonic();
    const isLate = clock.monotonic() - since > Math.max(UNHEALTHY_AFTER, 2 * syncFrequency);
    return isLate ? 'sync Loop took longer than expected' : undefined;
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

  async #step(): Promise<void> {
    const { kubelet, clock, events } = this.#options;
    const event = events.take();
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
    const { kubelet, events } = this.#options;
    for (let next = events.takeRuntimeEvent(); next !== undefined; next = events.takeRuntimeEvent())
      kubelet.handleLifecycleEvent(next);
  }

  /** Waits until there is an event or something is due. */
  async #wait(signal: AbortSignal): Promise<void> {
    const { clock, events } = this.#options;
    if (!events.isEmpty) return;
    const due = Math.min(this.#syncDue, this.#housekeepingDue) - clock.monotonic();
    await clock.sleep(Math.max(0, due), AbortSignal.any([events.arrival(), signal]));
  }
}
