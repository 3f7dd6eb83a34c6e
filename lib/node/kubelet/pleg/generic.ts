import type { Clock } from '#lib/machinery/clock.ts';
import { durationText } from '#lib/machinery/duration.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { PodSandboxState } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { PodStatusCache } from '../container/cache.ts';
import type { RunningPod, Runtime, RuntimePodStatus } from '../container/runtime.ts';
import { computeEvents } from './compute-events.ts';
import type { PodLifecycleEvent } from './pod-lifecycle-event.ts';

/** The ports of GenericPLEG. */
export interface GenericPLEGOptions {
  readonly runtime: Pick<Runtime, 'pods' | 'podStatus'>;
  readonly cache: PodStatusCache;
  readonly clock: Clock;
  /**
   * The uids of pods whose status is read with the next listing, even without a change. A `PodSync` follows, and the uid is removed (upstream:
   * SetPodWatchCondition).
   */
  readonly toReinspect: Set<string>;
  /** Called after the cache has the status for the event. */
  readonly onEvent: (event: PodLifecycleEvent) => void;
  /** Logs a failed listing or status, which is retried. */
  readonly report: (message: string, error: unknown) => void;
}

/** Interval in ms between two listings. */
const RELIST_PERIOD = 1000;
/** Time in ms without a listing after which the node is unhealthy. */
const RELIST_THRESHOLD = 180_000;

/**
 * Lists the runtime's pods every second, updates the cache of their statuses, and reports changes (upstream: GenericPLEG). An unchanged pod
 * does not require a separate call.
 */
export class GenericPLEG {
  readonly #options: GenericPLEGOptions;
  /** The listings whose statuses are in the cache. */
  readonly #known = new Map<string, RunningPod>();
  /** Pods to list separately, with the time of the request. */
  readonly #requests = new Map<string, number>();
  #wake = new AbortController();
  /** Monotonic time when the last listing began. */
  #relisted: number | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(options: GenericPLEGOptions) {
    this.#options = options;
  }

  /** Lists until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      await this.relist();
      const next = clock.monotonic() + RELIST_PERIOD;
      while (!signal.aborted && clock.monotonic() < next) {
        await clock.sleep(next - clock.monotonic(), AbortSignal.any([signal, this.#wake.signal]));
        await this.#serveRequests();
      }
    }
  }

  /** Lists all pods once and reports their changes. Never rejects. */
  relist(): Promise<void> {
    return this.#alone(() => this.#relist());
  }

  /** The reason why the node is unhealthy, or undefined while pods are listed often enough. */
  healthy(): string | undefined {
    if (this.#relisted === undefined) return 'pleg has yet to be successful';
    const elapsed = this.#options.clock.monotonic() - this.#relisted;
    if (elapsed <= RELIST_THRESHOLD) return undefined;
    return `pleg was last seen active ${milliseconds(elapsed)} ago; threshold is ${milliseconds(RELIST_THRESHOLD)}`;
  }

  /** Lists one pod soon, before the next listing of all pods. */
  requestRelist(uid: string): void {
    this.#requests.set(uid, this.#options.clock.monotonic());
    this.#wake.abort();
  }

  #alone(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last
      .then(work)
      .catch((error: unknown) => this.#options.report('a listing of pods failed', error));
    return this.#last;
  }

  async #relist(): Promise<void> {
    const { clock, cache } = this.#options;
    const started = clock.monotonic();
    const pods = await this.#list();
    if (pods === undefined) return;
    this.#relisted = started;
    const current = new Map(pods.map((pod) => [pod.uid, pod]));
    for (const uid of new Set([...this.#known.keys(), ...current.keys()]))
      await this.#reconcile(uid, current.get(uid), started);
    cache.updateTime(started);
  }

  async #serveRequests(): Promise<void> {
    const requests = [...this.#requests];
    this.#requests.clear();
    this.#wake = new AbortController();
    for (const [uid, requested] of requests)
      if (requested >= (this.#relisted ?? -Infinity)) await this.#alone(() => this.#relistPod(uid));
  }

  async #relistPod(uid: string): Promise<void> {
    const timestamp = this.#options.clock.monotonic();
    const pods = await this.#list(uid);
    if (pods === undefined) return;
    await this.#reconcile(uid, pods[0], timestamp);
    this.#options.cache.setObservedTime(uid, timestamp);
  }

  async #list(uid?: string): Promise<RunningPod[] | undefined> {
    try {
      return await this.#options.runtime.pods(true, uid);
    } catch (error) {
      this.#options.report('listing the pods of the runtime failed', error);
      return undefined;
    }
  }

  /**
   * Compares a pod with its last listing. If its status cannot be read, the next listing finds the change again. The status is newer than
   * the listing, so no event reports a running container that has exited in the cache.
   */
  async #reconcile(uid: string, listed: RunningPod | undefined, timestamp: number): Promise<void> {
    const isChanged = computeEvents(uid, this.#known.get(uid), listed).length > 0;
    const { toReinspect } = this.#options;
    const isAsked = toReinspect.delete(uid);
    if (!isChanged && !isAsked) return;
    const status = await this.#updateCache(uid, listed, timestamp);
    if (status === 'failed') {
      toReinspect.add(uid);
      return;
    }
    const current = status === 'gone' || listed === undefined ? undefined : withStates(listed, status);
    const events = computeEvents(uid, this.#known.get(uid), current);
    if (current === undefined) this.#known.delete(uid);
    else this.#known.set(uid, current);
    const told: PodLifecycleEvent[] = events.length === 0 ? [{ uid, type: 'PodSync' }] : events;
    for (const event of told) if (event.type !== 'ContainerChanged') this.#options.onEvent(event);
  }

  async #updateCache(
    uid: string,
    pod: RunningPod | undefined,
    timestamp: number,
  ): Promise<RuntimePodStatus | 'gone' | 'failed'> {
    const { runtime, cache, report } = this.#options;
    if (pod === undefined) {
      cache.delete(uid);
      return 'gone';
    }
    try {
      const status = await runtime.podStatus(uid, pod.name, pod.namespace);
      cache.set(uid, { ...status, ips: this.#ipsOf(status) }, timestamp);
      return status;
    } catch (error) {
      report(`the status of pod ${uid} cannot be read`, error);
      cache.set(uid, error instanceof Error ? error : new Error(messageOfError(error)), timestamp);
      return 'failed';
    }
  }

  /** A pod whose sandboxes have stopped keeps its last addresses. */
  #ipsOf({ uid, ips, sandboxStatuses }: RuntimePodStatus): readonly string[] {
    if (ips.length > 0 || sandboxStatuses.some(({ state }) => state === PodSandboxState.SANDBOX_READY)) return ips;
    return this.#options.cache.lastIPs(uid);
  }
}

/** The listing with the container states from the newer status. */
function withStates(listed: RunningPod, { containerStatuses }: RuntimePodStatus): RunningPod {
  const states = new Map(containerStatuses.map(({ id, state }) => [id, state]));
  return {
    ...listed,
    containers: listed.containers.map((one) => ({ ...one, state: states.get(one.id) ?? one.state })),
  };
}

const milliseconds = (count: number): string => durationText(BigInt(Math.round(count * 1_000_000)));
