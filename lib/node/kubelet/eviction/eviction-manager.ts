import type { Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { EventSubject, NodeEventRecorder } from '../events/recorder.ts';
import type { PodAdmitHandler } from '../lifecycle/pod-admit.ts';
import type { KillPodOptions } from '../podworkers/pod-syncer.ts';
import type { Summary } from '../stats/summary.ts';
import { isCriticalPod } from '../types/critical-pod.ts';
import { admitUnderPressure, EVICTED } from './admit.ts';
import { type DiskLayout, withContainerFs } from './container-fs-thresholds.ts';
import { setDisruptionTarget } from './disruption-target.ts';
import { evictionMessage } from './eviction-message.ts';
import { exceededLimits } from './local-storage.ts';
import type { EvictionMetrics } from './metrics.ts';
import { type Observations, observationsOf, thresholdsMet } from './observations.ts';
import { isHard, type Threshold } from './parse-threshold-config.ts';
import { type StatsOf, statsOf } from './pod-usage.ts';
import { PressureState } from './pressure-state.ts';
import { type Reclaim, rank, reclaims } from './rank.ts';
import { SIGNALS, type Signal } from './signals.ts';
import type { Pressures } from './thresholds.ts';

/** Interval between checks in ms, then the interval and time-out of the wait for the cleanup of evicted pods. */
const PERIOD = 10_000;
const CLEANUP = { poll: 1000, most: 30_000 } as const;
/** Interval in ms between checks whether the pod sources are ready. */
const READY_POLL = 100;
/** Grace period in seconds of a pod that is evicted immediately. */
const IMMEDIATE = 1;

/** The settings of eviction. */
export interface EvictionSettings {
  /** The result of `parseThresholdConfig`. */
  readonly thresholds: readonly Threshold[];
  /** Transition period in milliseconds. */
  readonly pressureTransitionPeriod: number;
  /** Maximum grace period in seconds of a pod after a soft threshold. */
  readonly maxPodGracePeriodSeconds: number;
  /** Whether limits of local storage are enforced. */
  readonly localStorageCapacityIsolation: boolean;
}

/** The ports of eviction. */
export interface EvictionPorts {
  readonly clock: Clock;
  readonly recorder: NodeEventRecorder;
  /** The Node, for events. */
  readonly node: EventSubject;
  readonly metrics: EvictionMetrics;
  /** Current statistics of the node and its pods. */
  summary(): Promise<Summary>;
  diskLayout(): Promise<DiskLayout>;
  /** The admitted pods that have not terminated, with their allocated resources (upstream: getAllocatedPods). */
  pods(): readonly Pod[];
  /**
   * Whether the pods from before the agent's start have been admitted again. Before that, node pressure would reject them instead of
   * evicting one by rank.
   */
  areSourcesReady(): boolean;
  /** Whether a pod is completely cleaned up. */
  isCleanedUp(pod: Pod): boolean;
  /** Kills a pod and waits until it has terminated. Rejects if that takes too long. */
  killPod(pod: Pod, kill: KillPodOptions): Promise<void>;
  readonly reclaim: Readonly<Record<Reclaim, () => Promise<void>>>;
  /** Called when a condition of the node was added or removed. */
  conditionsChanged(): void;
  report(message: string, error?: unknown): void;
}

/** Evicts pods before the node runs out of memory, disk space or process ids (upstream: eviction.Manager). */
export class EvictionManager implements PodAdmitHandler {
  readonly #settings: EvictionSettings;
  readonly #ports: EvictionPorts;
  readonly #state: PressureState;
  #disks: { readonly layout: DiskLayout; readonly thresholds: readonly Threshold[] } | undefined;

  constructor(settings: EvictionSettings, ports: EvictionPorts) {
    this.#settings = settings;
    this.#ports = ports;
    this.#state = new PressureState(settings.pressureTransitionPeriod);
  }

  /** The pressures in the conditions of the Node. */
  pressures(): Pressures {
    const { conditions } = this.#state;
    return {
      memory: conditions.includes('MemoryPressure'),
      disk: conditions.includes('DiskPressure'),
      pid: conditions.includes('PIDPressure'),
    };
  }

  /** Rejects pods while the node is under pressure. */
  async admit(pod: Pod): ReturnType<PodAdmitHandler['admit']> {
    return admitUnderPressure(pod, this.#state.conditions);
  }

  /**
   * Checks every ten seconds until the signal aborts, starting when the pod sources are ready. After an eviction it checks when the pods
   * are cleaned up.
   */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.#ports.areSourcesReady()) await this.#ports.clock.sleep(READY_POLL, signal);
    while (!signal.aborted) {
      const evicted = await this.synchronize().catch((error: unknown) => {
        this.#ports.report('eviction manager: failed to synchronize', error);
        return [];
      });
      if (evicted.length > 0) await this.#waitForCleanup(evicted, signal);
      else await this.#ports.clock.sleep(PERIOD, signal);
    }
  }

  /** Checks once. Returns the evicted pods, at most one for a threshold. Rejects if disks or statistics are unavailable. */
  async synchronize(): Promise<readonly Pod[]> {
    const { thresholds: configured, localStorageCapacityIsolation } = this.#settings;
    if (configured.length === 0 && !localStorageCapacityIsolation) return [];
    const { layout, thresholds } = (this.#disks ??= await this.#findDisks());
    const pods = this.#ports.pods();
    const summary = await this.#ports.summary();
    const observations = observationsOf(summary);
    const met = this.#observe(thresholds, observations);
    const stats = statsOf(summary.pods);
    if (localStorageCapacityIsolation) {
      const evicted = await this.#evictOverLimits(pods, stats, layout);
      if (evicted.length > 0) return evicted;
    }
    const sorted = [...met.filter(isMemory), ...met.filter((one) => !isMemory(one))];
    const [first] = sorted;
    if (first === undefined) return [];
    const { resource } = SIGNALS[first.signal];
    this.#ports.recorder.event(
      this.#ports.node,
      'Warning',
      'EvictionThresholdMet',
      `Attempting to reclaim ${resource}`,
    );
    if (await this.#reclaim(first.signal, layout, thresholds)) return [];
    for (const threshold of sorted) this.#noteAge(threshold.signal, observations);
    return this.#evictOne(rank(first.signal, layout, pods, stats), stats, { first, met: sorted, observations });
  }

  async #findDisks(): Promise<{ layout: DiskLayout; thresholds: readonly Threshold[] }> {
    const layout = await this.#ports.diskLayout();
    const ignored = (message: string): void => this.#ports.report(`eviction manager: ${message}`);
    return { layout, thresholds: withContainerFs(this.#settings.thresholds, layout, ignored) };
  }

  #observe(thresholds: readonly Threshold[], observations: Observations): Threshold[] {
    const before = this.#state.conditions;
    const met = this.#state.observe(thresholds, observations, this.#ports.clock.monotonic());
    if (before.toSorted().join() !== this.#state.conditions.toSorted().join()) this.#ports.conditionsChanged();
    return met;
  }

  /** Collects containers and images. Returns whether all thresholds are resolved. */
  async #reclaim(signal: Signal, layout: DiskLayout, thresholds: readonly Threshold[]): Promise<boolean> {
    const { reclaim, report, summary } = this.#ports;
    const wanted = reclaims(signal, layout);
    if (wanted.length === 0) return false;
    for (const one of wanted)
      await reclaim[one]().catch((error: unknown) => report(`eviction manager: cannot collect ${one}`, error));
    try {
      return thresholdsMet(thresholds, observationsOf(await summary()), { minReclaim: true }).length === 0;
    } catch (error) {
      report('eviction manager: failed to get summary stats after resource reclaim', error);
      return false;
    }
  }

  async #evictOverLimits(pods: readonly Pod[], statsFor: StatsOf, layout: DiskLayout): Promise<Pod[]> {
    const evicted: Pod[] = [];
    for (const pod of pods) {
      const stats = statsFor(pod);
      const [exceeded] = stats === undefined ? [] : exceededLimits(pod, stats, layout);
      if (exceeded === undefined || !(await this.#evict(pod, IMMEDIATE, exceeded.message))) continue;
      this.#ports.metrics.evicted(exceeded.signal);
      evicted.push(pod);
    }
    return evicted;
  }

  async #evictOne(
    ranked: readonly Pod[],
    stats: StatsOf,
    { first, met, observations }: { first: Threshold; met: readonly Threshold[]; observations: Observations },
  ): Promise<Pod[]> {
    const { resource } = SIGNALS[first.signal];
    for (const pod of ranked) {
      const message = evictionMessage(pod, stats(pod), { resource, thresholds: met, observations });
      const mark = (status: PodStatus): void => setDisruptionTarget(pod, status, message, this.#ports.clock.now());
      if (!(await this.#evict(pod, this.#graceOf(first, pod), message, mark))) continue;
      this.#ports.metrics.evicted(first.signal);
      return [pod];
    }
    this.#ports.report('eviction manager: unable to evict any pods from the node');
    return [];
  }

  /** The grace period in seconds. */
  #graceOf(threshold: Threshold, { spec }: Pod): number {
    if (isHard(threshold)) return IMMEDIATE;
    const { maxPodGracePeriodSeconds: most } = this.#settings;
    return Math.min(most, Number(spec.terminationGracePeriodSeconds ?? most));
  }

  /** Evicts a pod and waits for its termination. Returns false for a critical pod, which stays. */
  async #evict(
    pod: Pod,
    gracePeriod: number,
    message: string,
    mark: (status: PodStatus) => void = () => undefined,
  ): Promise<boolean> {
    if (isCriticalPod(pod)) return false;
    const { recorder, killPod, report } = this.#ports;
    recorder.event(pod, 'Warning', EVICTED, message);
    const podStatus = (status: PodStatus): void => {
      Object.assign(status, { phase: 'Failed', reason: EVICTED, message });
      mark(status);
    };
    // If the pod does not terminate in time, its worker continues.
    await killPod(pod, { evict: true, gracePeriod, podStatus }).catch((error: unknown) =>
      report(`eviction manager: pod ${pod.metadata.name ?? ''} failed to evict`, error),
    );
    return true;
  }

  #noteAge(signal: Signal, observations: Observations): void {
    const time = observations.get(signal)?.time;
    if (time !== undefined) this.#ports.metrics.statsAge(signal, Math.max(0, this.#ports.clock.now() - time));
  }

  async #waitForCleanup(pods: readonly Pod[], signal: AbortSignal): Promise<void> {
    const { clock, isCleanedUp } = this.#ports;
    const end = clock.monotonic() + CLEANUP.most;
    while (!signal.aborted && clock.monotonic() < end) {
      await clock.sleep(CLEANUP.poll, signal);
      if (pods.every(isCleanedUp)) return;
    }
  }
}

const isMemory = ({ signal }: Threshold): boolean => SIGNALS[signal].resource === 'memory';
