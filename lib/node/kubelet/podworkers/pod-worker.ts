import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { jitter } from '#lib/machinery/wait/jitter.ts';
import type { RuntimePodStatus } from '../container/runtime.ts';
import type { SyncPodType } from '../types/pod-update.ts';
import type { PodSyncStatus, PodWorkerState } from './pod-sync-status.ts';
import type { PodStatusReader, PodSyncer, SyncOutcome, UpdatePodOptions } from './pod-syncer.ts';
import { SyncError } from './sync-error.ts';
import type { WorkQueue } from './work-queue.ts';

/** Delay in ms before a retry after a transient failure. */
const TRANSIENT = 1000;
/** Maximum jitter as a share of the delay. */
const JITTER = 0.5;

/** The ports of one worker. */
export interface PodWorkerOptions {
  readonly uid: string;
  readonly status: PodSyncStatus;
  syncer(): PodSyncer;
  readonly statuses: PodStatusReader;
  readonly workQueue: WorkQueue;
  readonly clock: Clock;
  random(): number;
  readonly resyncInterval: number;
  readonly backOffPeriod: number;
  onError(pod: Pod | undefined, error: unknown): void;
  onUnknownStatus(pod: Pod, error: unknown): void;
  /** Called when an update with a start time was handled, successfully or not, with its duration in ms. */
  worked(type: SyncPodType | 'terminated', milliseconds: number): void;
  /** Whether the pod may be started now. Called again until it may. */
  mayStart(pod: Pod): 'now' | 'later' | 'never';
  /** Called when the pod needs no more work. */
  finished(): void;
  /** Called when a pod that existed only in the runtime has been removed. */
  forgotten(): void;
}

interface Work {
  readonly state: PodWorkerState;
  readonly update: UpdatePodOptions;
  readonly signal: AbortSignal;
}

/** Handles the updates of one pod one at a time (upstream: podWorkerLoop). */
export class PodWorker {
  readonly #options: PodWorkerOptions;
  #isNotified = false;
  #isRunning = false;
  #isStopped = false;
  /** Monotonic time when the last sync ended. The next sync uses a newer status. */
  #lastSync = -Infinity;

  constructor(options: PodWorkerOptions) {
    this.#options = options;
  }

  /** Called when there is an update to handle. */
  notify(): void {
    this.#isNotified = true;
    if (!this.#isRunning) void this.#run();
  }

  /** Replays the last update if none is pending. */
  requeue(): void {
    const { status } = this.#options;
    if (status.pendingUpdate !== undefined || status.activeUpdate === undefined) return;
    status.pendingUpdate = status.activeUpdate;
    this.notify();
  }

  /** Stops handling updates. */
  stop(): void {
    this.#isStopped = true;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    await Promise.resolve(); // return to the caller of notify before any callback
    while (this.#isNotified && !this.#isStopped) {
      this.#isNotified = false;
      const work = this.#start();
      if (work !== undefined) await this.#work(work);
    }
    this.#isRunning = false;
  }

  /** Takes the pending update. Undefined if there is none or the pod may not start. */
  #start(): Work | undefined {
    const { status, mayStart, workQueue, uid, finished, backOffPeriod } = this.#options;
    const update = status.pendingUpdate;
    if (update === undefined) return undefined;
    const { state } = status;
    const { pod } = update;
    if (!status.isStarted && pod !== undefined) {
      const verdict = mayStart(pod);
      if (verdict === 'later') workQueue.enqueue(uid, this.#jittered(backOffPeriod));
      if (verdict === 'never') finished();
      if (verdict !== 'now') return undefined;
      status.isStarted = true;
    }
    status.pendingUpdate = undefined;
    status.mergeLastUpdate(update);
    const canceller = new AbortController();
    status.cancel = () => canceller.abort();
    return { state, update, signal: canceller.signal };
  }

  async #work(work: Work): Promise<void> {
    const { status, uid, workQueue, onError } = this.#options;
    try {
      this.#complete(work, await this.#sync(work));
    } catch (error) {
      // An aborted sync already has a newer update.
      if (!work.signal.aborted) onError(work.update.pod, error);
      workQueue.enqueue(uid, this.#delayAfter(error));
    }
    this.#tellDuration(work.update);
    if (status.pendingUpdate !== undefined) this.#isNotified = true;
  }

  #tellDuration({ updateType, startTime }: UpdatePodOptions): void {
    const { status, clock, worked } = this.#options;
    if (startTime !== undefined) worked(status.isFinished ? 'terminated' : updateType, clock.monotonic() - startTime);
  }

  /** Returns whether this stage of the pod is complete. */
  async #sync(work: Work): Promise<boolean> {
    const { pod, runningPod } = work.update;
    if (pod !== undefined) return this.#act(work, pod, await this.#observe(pod));
    this.#options.status.hasStartedTerminating = true;
    if (runningPod !== undefined) await this.#options.syncer().syncTerminatingRuntimePod(runningPod, work.signal);
    return true;
  }

  async #act({ state, update, signal }: Work, pod: Pod, observed: RuntimePodStatus): Promise<boolean> {
    const { status } = this.#options;
    const syncer = this.#options.syncer();
    const { updateType, mirrorPod, kill } = update;
    let postSync: SyncOutcome['postSync'];
    try {
      switch (state) {
        case 'sync': {
          const outcome = await syncer.syncPod({ updateType, pod, mirrorPod, status: observed }, signal);
          postSync = outcome.postSync;
          return outcome.isTerminal;
        }
        case 'terminating': {
          status.hasStartedTerminating = true;
          const asked = { gracePeriod: kill?.gracePeriod, podStatus: status.statusPostTerminating };
          await syncer.syncTerminatingPod({ pod, status: observed, ...asked }, signal);
          return true;
        }
        case 'terminated':
          await syncer.syncTerminatedPod(pod, observed, signal);
          return true;
        default:
          return state satisfies never;
      }
    } finally {
      this.#lastSync = this.#options.clock.monotonic();
      postSync?.();
    }
  }

  async #observe(pod: Pod): Promise<RuntimePodStatus> {
    const { statuses, uid, onUnknownStatus } = this.#options;
    try {
      return await statuses.newerThan(uid, this.#lastSync);
    } catch (error) {
      onUnknownStatus(pod, error);
      throw error;
    }
  }

  #complete({ state, update }: Work, isOver: boolean): void {
    const { status, workQueue, uid, finished, forgotten, resyncInterval } = this.#options;
    if (isOver && state === 'terminated') return finished();
    if (isOver && update.pod === undefined) {
      finished();
      return forgotten();
    }
    workQueue.enqueue(uid, isOver ? 0 : this.#jittered(resyncInterval));
    if (!isOver) return;
    if (state === 'terminating') this.#completeTerminating();
    status.isTerminationRequested = true;
    status.hasStartedTerminating = true;
    this.requeue();
  }

  #completeTerminating(): void {
    const { status } = this.#options;
    status.isTerminated = true;
    status.statusPostTerminating = undefined;
    status.callCompleted();
  }

  #delayAfter(error: unknown): number {
    const { backOffPeriod, resyncInterval, clock } = this.#options;
    if (!(error instanceof SyncError)) return this.#jittered(backOffPeriod);
    if (error.isTransient) return this.#jittered(TRANSIENT);
    const backoff = error.backoffUntil === undefined ? backOffPeriod : error.backoffUntil - clock.now();
    return this.#jittered(Math.min(resyncInterval, Math.max(0, backoff)));
  }

  #jittered(delay: number): number {
    return jitter(delay, JITTER, () => this.#options.random());
  }
}
