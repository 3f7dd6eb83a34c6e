import type { Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';
import { atMost } from '#lib/machinery/wait/within.ts';
import type { EventSubject, NodeEventRecorder } from '../events/recorder.ts';
import { setDisruptionTarget } from '../eviction/disruption-target.ts';
import type { PodAdmitHandler } from '../lifecycle/pod-admit.ts';
import type { KillPodOptions } from '../podworkers/pod-syncer.ts';
import type { InhibitLock, Logind } from './logind.ts';
import { groupByPriority, type ShutdownConfig, type ShutdownGroup, shutdownGracePeriods } from './shutdown-groups.ts';
import type { ShutdownState } from './shutdown-state.ts';

/** Delay in ms until the connection to logind is retried (upstream: dbusReconnectPeriod). */
const RECONNECT = 1000;
/** The checks whether logind has applied a new delay. */
const DELAY_LOOKS = { duration: 100, factor: 2, steps: 5 };
const MESSAGE = 'Pod was terminated in response to imminent node shutdown.';

/** The ports of a graceful shutdown. */
export interface NodeShutdownPorts {
  readonly clock: Clock;
  readonly logind: Logind;
  readonly recorder: NodeEventRecorder;
  /** The Node, for events. */
  readonly node: EventSubject;
  readonly state: ShutdownState;
  /** The admitted pods that have not terminated. */
  pods(): readonly Pod[];
  /** Kills a pod and waits until it has terminated. Rejects if that takes too long. */
  killPod(pod: Pod, kill: KillPodOptions): Promise<void>;
  /** Waits until all volumes of a pod are unmounted. */
  waitForUnmount(pod: Pod, signal: AbortSignal): Promise<void>;
  /** Called when a shutdown started or was cancelled. The node's status is then reported at once. */
  statusChanged(): void;
  report(message: string, error?: unknown): void;
}

/** Terminates pods in order before the machine shuts down (upstream: nodeshutdown.Manager). */
export class NodeShutdownManager implements PodAdmitHandler {
  readonly #ports: NodeShutdownPorts;
  readonly #periods: ReturnType<typeof shutdownGracePeriods>;
  #isShuttingDown = false;
  #lock: InhibitLock | undefined;

  constructor(config: ShutdownConfig, ports: NodeShutdownPorts) {
    this.#periods = shutdownGracePeriods(config);
    this.#ports = ports;
  }

  /** The reason why the node is not ready, or undefined if it is not shutting down. */
  fault(): string | undefined {
    return this.#isShuttingDown ? 'node is shutting down' : undefined;
  }

  async admit(): ReturnType<PodAdmitHandler['admit']> {
    if (!this.#isShuttingDown) return { admit: true };
    const message = 'Pod was rejected as the node is shutting down.';
    return { admit: false, reason: 'NodeShutdown', message };
  }

  /**
   * Delays shutdowns and terminates pods before them, until the signal aborts. Returns at once if no period is configured. Also returns if
   * logind is missing, after reporting it. A lost connection to logind is retried every second.
   */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#periods.length === 0) return;
    const { report, state } = this.#ports;
    await state.load().catch((error: unknown) => report('Failed to load graceful shutdown state', error));
    try {
      await this.#follow(signal);
    } finally {
      this.#release();
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { clock, report } = this.#ports;
    let isLost = false;
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      try {
        await this.#prepare(signal);
        isLost = false;
        await this.#watch(signal);
      } catch (error) {
        if (isFirst) return report('Failed to start node shutdown manager', error);
        if (!isLost) report('Unable to watch the node for shutdown events', error);
        isLost = true;
      }
      await clock.sleep(RECONNECT, signal);
    }
  }

  /** Makes sure that logind waits long enough, and acquires the lock. */
  async #prepare(signal: AbortSignal): Promise<void> {
    const { logind } = this.#ports;
    const wanted = this.#periods.reduce((sum, { shutdownGracePeriodSeconds: one }) => sum + one * 1000, 0);
    if (wanted > (await logind.currentInhibitDelay())) {
      await logind.overrideInhibitDelay(wanted);
      await this.#waitForDelay(wanted, signal);
    }
    await this.#acquire();
  }

  async #waitForDelay(wanted: number, signal: AbortSignal): Promise<void> {
    const { logind, clock } = this.#ports;
    const { steps } = DELAY_LOOKS;
    let current = 0;
    for (let look = 0; look < steps; look++) {
      if (look > 0) await clock.sleep(delayAfter(look, DELAY_LOOKS), signal);
      current = await logind.currentInhibitDelay();
      if (current >= wanted) return;
    }
    throw new Error(
      `node shutdown manager was timed out after ${steps} attempts waiting for logind InhibitDelayMaxSec to update to ${wanted / 1000}s (ShutdownGracePeriod), current value is ${current / 1000}s`,
    );
  }

  async #acquire(): Promise<void> {
    const before = this.#lock;
    this.#lock = await this.#ports.logind.inhibitShutdown();
    before?.release();
  }

  #release(): void {
    this.#lock?.release();
    this.#lock = undefined;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { logind, recorder, node, statusChanged, report } = this.#ports;
    for await (const isShuttingDown of logind.monitorShutdown(signal)) {
      const what = isShuttingDown ? 'event' : 'cancellation';
      recorder.event(node, 'Normal', 'Shutdown', `Shutdown manager detected shutdown ${what}`);
      this.#isShuttingDown = isShuttingDown;
      statusChanged();
      if (isShuttingDown) await this.#shutDown();
      else await this.#acquire().catch((error: unknown) => report('cannot delay the next shutdown', error));
    }
  }

  async #shutDown(): Promise<void> {
    const { clock, state, pods, report } = this.#ports;
    const notStored = (error: unknown): void => report('Failed to store graceful shutdown state', error);
    const start = clock.now();
    try {
      await state.store(start).catch(notStored);
      for (const group of groupByPriority(this.#periods, pods())) if (group.pods.length > 0) await this.#end(group);
      await state.store(start, clock.now()).catch(notStored);
    } finally {
      this.#release();
    }
  }

  /** Terminates the pods of a group and unmounts their volumes, at most for the period of the group. */
  async #end({ pods, shutdownGracePeriodSeconds }: ShutdownGroup): Promise<void> {
    const { clock, report, waitForUnmount } = this.#ports;
    const ended = async (late: AbortSignal): Promise<void> => {
      try {
        await Promise.all(pods.map((pod) => this.#kill(pod, shutdownGracePeriodSeconds)));
        await Promise.all(pods.map((pod) => waitForUnmount(pod, late)));
      } catch (error) {
        report('Failed while waiting for all the volumes to unmount', error);
      }
    };
    await atMost(shutdownGracePeriodSeconds * 1000, ended, { clock });
  }

  async #kill(pod: Pod, seconds: number): Promise<void> {
    const { killPod, clock, report } = this.#ports;
    const gracePeriod = Math.min(seconds, Number(pod.spec.terminationGracePeriodSeconds ?? seconds));
    const podStatus = (status: PodStatus): void => {
      if (status.phase !== 'Succeeded') status.phase = 'Failed';
      Object.assign(status, { message: MESSAGE, reason: 'Terminated' });
      setDisruptionTarget(pod, status, MESSAGE, clock.now());
    };
    await killPod(pod, { evict: false, gracePeriod, podStatus }).catch((error: unknown) =>
      report('Shutdown manager failed killing pod', error),
    );
  }
}
