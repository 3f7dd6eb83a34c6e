import type { Pod } from '#lib/api/types/core.v1.ts';
import { podResources } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { generationOf, nameOf, uidOf } from '#lib/machinery/meta.ts';
import { compareQuantities } from '#lib/machinery/resource/quantities.ts';
import type { NodeEventRecorder } from '../events/recorder.ts';
import { podResizeMessage } from '../events/resize.ts';
import type { AdmitOperation, PodAdmitHandler, PodAdmitResult } from '../lifecycle/pod-admit.ts';
import type { PodResizeConditions } from '../status/resize-conditions.ts';
import { allocatedPod, allocationOf } from './allocated-pod.ts';
import { inOrderOfResizes } from './order-of-resizes.ts';
import type { PodResourceState } from './pod-resource-state.ts';

/** Delays in ms between retries of pending resizes, before and after all pod sources are ready. */
const INITIAL_RETRY = 30_000;
const RETRY = 180_000;

/** The ports of the manager. */
export interface AllocationManagerOptions {
  readonly allocated: PodResourceState;
  /** The admission checks of a pod, in order. */
  readonly admitHandlers: readonly PodAdmitHandler[];
  readonly conditions: PodResizeConditions;
  readonly recorder: NodeEventRecorder;
  readonly clock: Clock;
  areSourcesReady(): boolean;
  /** The admitted pods that have not terminated, with the resources in their spec. */
  activePods(): readonly Pod[];
  podByUid(uid: string): Pod | undefined;
  /** Requests an early sync of a pod. */
  syncPod(uid: string): void;
  /** Logs a failure after which the manager continues. */
  report(message: string, error: unknown): void;
}

/** A failing check only rejects its own pod. */
const unexpected = (error: unknown): PodAdmitResult => ({
  admit: false,
  reason: 'UnexpectedAdmissionError',
  message: messageOfError(error),
});

/**
 * Allocates resources to pods, and restores the allocations after a restart of the agent (upstream: allocation.Manager). A resize stays
 * pending until it fits. Decisions are made one at a time.
 */
export class AllocationManager {
  readonly #options: AllocationManagerOptions;
  #pending: readonly string[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #due: number;
  #wake: (() => void) | undefined;

  constructor(options: AllocationManagerOptions) {
    this.#options = options;
    this.#due = options.clock.monotonic() + INITIAL_RETRY;
  }

  /** The pod with its allocated resources. Returns the same object if they match its spec or it has no allocation yet. */
  allocatedPod(pod: Pod): Pod {
    return allocatedPod(pod, this.#options.allocated);
  }

  /** Admits a pod that is new, or new to this agent process, and records its allocation. */
  addPod(added: Pod): Promise<PodAdmitResult> {
    return this.#alone(async () => {
      const { allocated, report } = this.#options;
      const pod = this.allocatedPod(added);
      const verdict = await this.#admit(pod, 'add');
      if (!verdict.admit) return verdict;
      await allocated
        .setPodResources(uidOf(pod), allocationOf(pod))
        .catch((error: unknown) => report(`cannot keep the allocation of pod ${nameOf(pod)}`, error));
      return verdict;
    });
  }

  removePod(uid: string): void {
    this.#options.allocated.removePod(uid);
  }

  /** Forgets the pods that are not in the set. */
  removeOrphanedPods(remaining: ReadonlySet<string>): void {
    this.#options.allocated.removeOrphans(remaining);
  }

  hasPendingResizes(): boolean {
    return this.#pending.length > 0;
  }

  /** Records that a pod's requested resources differ from its allocation. `retryPendingResizes` decides on it. */
  pushPendingResize(uid: string): Promise<void> {
    return this.#alone(async () => {
      if (this.#pending.includes(uid)) return;
      const { podByUid, conditions } = this.#options;
      const pods = [...this.#pending, uid].flatMap((one) => podByUid(one) ?? []);
      const isIncreasing = (pod: Pod): boolean => this.#isIncreasing(pod);
      this.#pending = inOrderOfResizes(pods, { isIncreasing, conditions }).map(uidOf);
    });
  }

  /** Retries all pending resizes. Does not reject. */
  retryPendingResizes(): Promise<void> {
    return this.#alone(() => this.#retry());
  }

  /** Retries pending resizes periodically until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      const waking = new AbortController();
      this.#wake = () => waking.abort();
      const wait = this.#due - clock.monotonic();
      if (wait > 0) await clock.sleep(wait, AbortSignal.any([waking.signal, signal]));
      if (!signal.aborted && clock.monotonic() >= this.#due) await this.retryPendingResizes();
    }
  }

  async #retry(): Promise<void> {
    const { areSourcesReady, podByUid, conditions, syncPod, report } = this.#options;
    const isReady = areSourcesReady();
    this.#retryIn(isReady ? RETRY : INITIAL_RETRY);
    if (!isReady) return;
    const rest: string[] = [];
    for (const uid of this.#pending) {
      const pod = podByUid(uid);
      if (pod === undefined) continue;
      const before = conditions.of(uid);
      let isAllocated = false;
      try {
        isAllocated = await this.#resize(pod);
        if (conditions.isDeferred(uid)) rest.push(uid);
      } catch (error) {
        report(`cannot keep the resize of pod ${nameOf(pod)}`, error);
        rest.push(uid);
      }
      if (isAllocated || !equal(before, conditions.of(uid))) syncPod(uid);
    }
    this.#pending = rest;
  }

  /**
   * Allocates the resources that a pod requests, or records why that is impossible. Returns whether it did. Rejects if the allocation
   * cannot be stored.
   */
  async #resize(pod: Pod): Promise<boolean> {
    const { allocated, conditions, recorder } = this.#options;
    const [uid, generation] = [uidOf(pod), generationOf(pod)];
    if (this.allocatedPod(pod) === pod) {
      conditions.clearPending(uid);
      return false;
    }
    const verdict = await this.#admit(pod, 'resize');
    if (verdict.admit) {
      await allocated.setPodResources(uid, allocationOf(pod));
      conditions.clearPending(uid);
      conditions.clearInProgress(uid); // clears the error of an earlier resize
      conditions.setInProgress(uid, { generation });
      recorder.event(pod, 'Normal', 'ResizeStarted', podResizeMessage(pod, 'started', generation));
      return true;
    }
    const { reason, message } = verdict;
    if (conditions.setPending(uid, { reason, message, generation })) {
      const event = reason === 'Infeasible' ? 'ResizeInfeasible' : 'ResizeDeferred';
      recorder.event(pod, 'Warning', event, podResizeMessage(pod, reason, generation, message));
    }
    return false;
  }

  async #admit(pod: Pod, operation: AdmitOperation): Promise<PodAdmitResult> {
    const { activePods, admitHandlers } = this.#options;
    const others = activePods().filter((other) => uidOf(other) !== uidOf(pod));
    const allocated = others.map((other) => this.allocatedPod(other));
    for (const handler of admitHandlers) {
      const verdict = await handler.admit(pod, allocated, operation).catch(unexpected);
      if (!verdict.admit) return verdict;
    }
    return { admit: true };
  }

  #isIncreasing(pod: Pod): boolean {
    const [before, after] = [requestsOf(this.allocatedPod(pod)), requestsOf(pod)];
    return ['cpu', 'memory'].some((name) => compareQuantities(after.get(name) ?? '0', before.get(name) ?? '0') > 0);
  }

  #retryIn(milliseconds: number): void {
    this.#due = this.#options.clock.monotonic() + milliseconds;
    this.#wake?.();
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined); // the caller receives the error
    return done;
  }
}

const requestsOf = (pod: Pod) => podResources({ ...pod, status: {} }, 'requests');
