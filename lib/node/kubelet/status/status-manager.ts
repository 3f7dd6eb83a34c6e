import type { ContainerStatus, Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import { isMirrorPod } from '#lib/helpers/component-helpers/pod/mirror.ts';
import { isPodPhaseTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { findCondition, replaceCondition } from '#lib/machinery/conditions.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { clone } from '#lib/machinery/json-value.ts';
import { generationOf, isDeleting, nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import type { PodManager } from '../pod/pod-manager.ts';
import { isStaticPod } from '../types/pod-update.ts';
import { illegalTransition } from './container-transitions.ts';
import { containersReadyCondition, podReadyCondition } from './generate.ts';
import { mergePodStatus, timed } from './merge-pod-status.ts';
import { normalizeStatus } from './normalize-status.ts';
import { mergePatch, podStatusEqual } from './pod-status-equal.ts';
import { PodResizeConditions } from './resize-conditions.ts';
import { terminatedStatus } from './terminated-status.ts';

/** Interval in ms between comparisons of all statuses. */
const SYNC_PERIOD = 10_000;
/** Maximum number of attempts for a patch with conflicts. */
const ATTEMPTS = 3;

/** The ports of the manager. */
export interface StatusManagerOptions {
  readonly client: Client;
  readonly podManager: Pick<PodManager, 'podByUid' | 'mirrorPodOf' | 'translateUid' | 'apiUid'>;
  readonly clock: Clock;
  /** Whether containers of the pod may be running. */
  couldHaveRunningContainers(pod: Pod): boolean;
  /** Called when a status cannot be written. The write is retried. */
  onFault(error: unknown): void;
}

interface Versioned {
  readonly status: PodStatus;
  readonly version: number;
  readonly name: string;
  readonly namespace: string;
  /** Whether the pod is completely cleaned up. */
  readonly isFinished: boolean;
}

/** Keeps the statuses of the node's pods and writes them to the API, one at a time (upstream: status.Manager). */
export class StatusManager {
  /** The resize conditions for the statuses. */
  readonly resizeConditions: PodResizeConditions;
  readonly #options: StatusManagerOptions;
  readonly #client: Clientset;
  readonly #statuses = new Map<string, Versioned>();
  /** The version of the status that was last written to the API, by the pod's uid there. */
  readonly #apiVersions = new Map<string, number>();
  /** Whether a status was set since the last batch began. */
  #isChanged = false;
  #wake: (() => void) | undefined;

  constructor(options: StatusManagerOptions) {
    this.#options = options;
    this.#client = clientset(options.client);
    this.resizeConditions = new PodResizeConditions(options.clock);
  }

  /** The last status that was set, by the uid of the pod or of its mirror. */
  podStatus(uid: string): PodStatus | undefined {
    return this.#statuses.get(this.#options.podManager.translateUid(uid))?.status;
  }

  /** Sets a pod's status. It is written soon. */
  setPodStatus(pod: Pod, status: PodStatus): void {
    const generation = generationOf(pod);
    const fresh = { ...clone(status), ...(generation === 0 ? {} : { observedGeneration: generation }) };
    this.#update(pod, fresh, { isForced: isDeleting(pod), isFinished: false });
  }

  /** Records a result of a container's readiness probe. */
  setContainerReadiness(uid: string, containerID: string, isReady: boolean): void {
    const pod = this.#options.podManager.podByUid(uid);
    const status = clone(this.#statuses.get(uid)?.status ?? {});
    const container = containerIn(status, containerID);
    if (pod === undefined || container === undefined || container.ready === isReady) return;
    container.ready = isReady;
    const all = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
    const ready = podReadyCondition(pod, status.conditions ?? [], all, status.phase);
    const containers = containersReadyCondition(pod, all, status.phase);
    status.conditions = replaceCondition(replaceCondition(status.conditions, ready), containers);
    this.#update(pod, status, { isForced: false, isFinished: false });
  }

  /** Records a result of a container's startup probe. */
  setContainerStartup(uid: string, containerID: string, isStarted: boolean): void {
    const pod = this.#options.podManager.podByUid(uid);
    const status = clone(this.#statuses.get(uid)?.status ?? {});
    const container = containerIn(status, containerID);
    if (pod === undefined || container === undefined || container.started === isStarted) return;
    container.started = isStarted;
    this.#update(pod, status, { isForced: false, isFinished: false });
  }

  /** Sets the last status of a cleaned up pod, which may then be deleted from the API. */
  terminatePod(pod: Pod): void {
    const held = this.#statuses.get(uidOf(pod))?.status ?? pod.status;
    this.#update(pod, terminatedStatus(pod, held), { isForced: true, isFinished: true });
  }

  /** Forgets the statuses of pods that are not in the set. */
  removeOrphanedStatuses(uids: ReadonlySet<string>): void {
    for (const uid of this.#statuses.keys()) if (!uids.has(uid)) this.#forget(uid);
  }

  /** Writes statuses as they change, and compares all of them every ten seconds, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    for (let due = clock.monotonic() + SYNC_PERIOD; !signal.aborted; ) {
      const isDue = clock.monotonic() >= due;
      if (isDue) due = clock.monotonic() + SYNC_PERIOD;
      await this.syncBatch(isDue);
      await this.#wait(due - clock.monotonic(), signal);
    }
  }

  /** Writes changed statuses, and with `all` also those that differ in the API. Does not reject. */
  async syncBatch(all: boolean): Promise<void> {
    this.#isChanged = false;
    if (all) this.#forgetVersions();
    const stale = [...this.#statuses].filter(([uid, held]) => this.#isStale(uid, held, all));
    for (const [uid, held] of stale) {
      try {
        await this.#sync(uid, held);
      } catch (error) {
        this.#options.onFault(error);
      }
    }
  }

  /** Waits until a status is set, at most this many milliseconds. */
  async #wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (this.#isChanged) return;
    const waking = new AbortController();
    this.#wake = () => waking.abort();
    await this.#options.clock.sleep(milliseconds, AbortSignal.any([waking.signal, signal]));
  }

  #isStale(uid: string, held: Versioned, all: boolean): boolean {
    const { podManager } = this.#options;
    const apiUid = podManager.apiUid(uid);
    if (apiUid === undefined) return false;
    if ((this.#apiVersions.get(apiUid) ?? 0) < held.version) return true;
    if (!all) return false;
    const pod = podManager.podByUid(apiUid);
    if (pod !== undefined && canBeDeleted(pod, held)) return true;
    if (!this.#needsReconcile(uid, held)) return false;
    this.#apiVersions.delete(apiUid);
    return true;
  }

  /** Whether the status in the API differs from the one that was set. */
  #needsReconcile(uid: string, held: Versioned): boolean {
    const pod = this.#options.podManager.podByUid(uid);
    const shown = pod !== undefined && isStaticPod(pod) ? this.#options.podManager.mirrorPodOf(pod) : pod;
    if (shown === undefined) return false;
    const status = clone(shown.status);
    normalizeStatus(shown, status);
    return !podStatusEqual(status, held.status);
  }

  /** Forgets the versions of deleted pods. */
  #forgetVersions(): void {
    const known = new Set([...this.#statuses.keys()].map((uid) => this.#options.podManager.apiUid(uid)));
    for (const uid of this.#apiVersions.keys()) if (!known.has(uid)) this.#apiVersions.delete(uid);
  }

  async #sync(uid: string, held: Versioned): Promise<void> {
    const ref = { resource: PODS, namespace: held.namespace, name: held.name };
    for (let attempt = 1; ; attempt++) {
      const pod = await this.#client.get(ref);
      if (pod === undefined) return; // housekeeping removes the status
      if (this.#options.podManager.translateUid(uidOf(pod)) !== uid) {
        return this.#forget(uid);
      }
      try {
        return await this.#write(uid, held, pod);
      } catch (error) {
        const isOutrun = error instanceof StatusError && error.reason === 'Conflict';
        if (!isOutrun || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** The patch requires the version that was read, because it also replaces lists that other components write. */
  async #write(uid: string, held: Versioned, pod: Pod): Promise<void> {
    const ref = { resource: PODS, namespace: held.namespace, name: held.name };
    const facts = {
      couldHaveRunningContainers: this.#options.couldHaveRunningContainers(pod),
      now: timeOf(this.#options.clock.now()),
    };
    const merged = mergePodStatus(pod, pod.status, held.status, facts);
    const status = mergePatch(pod.status, merged);
    const metadata = { uid: uidOf(pod), resourceVersion: resourceVersionOf(pod) };
    const isSame = Object.keys(status).length === 0;
    const written = isSame ? pod : await this.#client.patch(ref, { metadata, status }, 'status');
    this.#apiVersions.set(uidOf(pod), held.version);
    if (!canBeDeleted(written, held)) return;
    await this.#client.delete(ref, { gracePeriodSeconds: 0, uid: uidOf(pod) });
    this.#forget(uid);
  }

  #forget(uid: string): void {
    this.#statuses.delete(uid);
    this.#apiVersions.delete(uid);
    this.resizeConditions.forget(uid);
  }

  #update(pod: Pod, fresh: PodStatus, { isForced, isFinished }: UpdateOptions): void {
    const cached = this.#statuses.get(uidOf(pod));
    const old = cached?.status ?? this.#options.podManager.mirrorPodOf(pod)?.status ?? pod.status;
    const container = illegalTransition(pod, old, fresh);
    if (container !== undefined) {
      this.#options.onFault(
        new Error(`terminated container ${container} attempted illegal transition to non-terminated state`),
      );
      return;
    }
    const now = timeOf(this.#options.clock.now());
    if (fresh.conditions !== undefined)
      fresh.conditions = fresh.conditions.map((one) => (TIMED.has(one.type) ? timed(one, old, now) : one));
    fresh.startTime = old.startTime ?? fresh.startTime ?? now;
    const generation = Math.max(Number(old.observedGeneration ?? 0), Number(fresh.observedGeneration ?? 0));
    if (generation > 0) fresh.observedGeneration = generation;
    normalizeStatus(pod, fresh);
    if (cached !== undefined && podStatusEqual(cached.status, fresh) && !isForced) return;
    this.#statuses.set(uidOf(pod), {
      status: fresh,
      version: (cached?.version ?? 0) + 1,
      name: nameOf(pod),
      namespace: namespaceOf(pod),
      isFinished: isFinished || (cached?.isFinished === true && !isStaticPod(pod)),
    });
    this.#isChanged = true;
    this.#wake?.();
  }
}

interface UpdateOptions {
  /** Whether to write the status even if it is unchanged. */
  readonly isForced: boolean;
  readonly isFinished: boolean;
}

/** The conditions whose transition time the kubelet maintains. */
const TIMED: ReadonlySet<string> = new Set([
  'ContainersReady',
  'Ready',
  'Initialized',
  'PodReadyToStartContainers',
  'PodScheduled',
  'DisruptionTarget',
  'AllContainersRestarting',
]);

const containerIn = (status: PodStatus, containerID: string): ContainerStatus | undefined =>
  [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])].find(
    (one) => one.containerID === containerID,
  );

/**
 * Whether a pod with a deletion timestamp may be deleted: its phase is terminal and it is cleaned up. Mirror pods are deleted elsewhere.
 */
const canBeDeleted = (pod: Pod, { isFinished }: Versioned): boolean =>
  isDeleting(pod) && !isMirrorPod(pod) && isPodPhaseTerminal(pod.status.phase) && isFinished;

/** Whether the condition Ready of a pod with readiness gates is outdated in the API (upstream: NeedToReconcilePodReadiness). */
export function needToReconcilePodReadiness(pod: Pod): boolean {
  if ((pod.spec.readinessGates ?? []).length === 0) return false;
  const { conditions = [], containerStatuses, phase } = pod.status;
  const shown = findCondition(conditions, 'Ready');
  const wanted = podReadyCondition(pod, conditions, containerStatuses, phase);
  return shown !== undefined && (shown.status !== wanted.status || (shown.message ?? '') !== (wanted.message ?? ''));
}
