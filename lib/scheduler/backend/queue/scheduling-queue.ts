import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { FORCE_ACTIVATE, type IncomingEvent, UNSCHEDULABLE_TIMEOUT } from '../../framework/events.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { podInfoOf } from '../../framework/pod-info-of.ts';
import type { With } from '../../framework/runtime/extension-points.ts';
import { outcomeOf } from '../../framework/status.ts';
import { Heap } from '../heap/heap.ts';
import { BackoffQueue } from './backoff-queue.ts';
import { type ClusterChange, InFlightEvents } from './in-flight-events.ts';
import { PodNominations } from './nominator.ts';
import { hasNoRejector, isGated, newQueuedPod, type QueuedPod, uidOfQueued } from './queued-pod.ts';
import type { QueueingHints, Strategy } from './queueing-hints.ts';

/** The longest time in milliseconds that a pod stays unschedulable without a change that helps it. */
const MAX_UNSCHEDULABLE = 5 * 60 * 1000;

/** The part of a pod's profile that the queue uses. */
export interface QueueProfile {
  readonly hints: QueueingHints;
  readonly preEnqueue: readonly With<'preEnqueue'>[];
}

/** The ports and settings of the queue. */
export interface SchedulingQueueOptions {
  readonly clock: Clock;
  /** The backoff durations in milliseconds. */
  readonly backoff: { readonly initial: number; readonly max: number };
  less(a: QueuedPod, b: QueuedPod): boolean;
  /** The profiles by scheduler name. */
  readonly profiles: ReadonlyMap<string, QueueProfile>;
  /** Whether the pod still exists and has no node. */
  isPending(pod: PodInfo): boolean;
  /** Called when the queue may have a pod to pop. */
  onActive(): void;
}

/** The number of waiting pods in each part of the queue. */
export interface PendingPods {
  readonly active: number;
  readonly backoff: number;
  readonly unschedulable: number;
  readonly gated: number;
}

/**
 * The queue of pods that wait for a node: upstream's PriorityQueue. It has three parts: active pods in QueueSort order, pods that back off,
 * and unschedulable or gated pods. An unschedulable pod waits for a change that may help it, for at most five minutes. A gated pod waits
 * until no plugin gates it.
 */
export class SchedulingQueue {
  readonly #options: SchedulingQueueOptions;
  readonly #active: Heap<QueuedPod>;
  readonly #backoff: BackoffQueue;
  /** Ordered by waiting time, the longest first. */
  readonly #unschedulable = new Map<string, QueuedPod>();
  readonly #gated = new Map<string, QueuedPod>();
  readonly #inFlight = new InFlightEvents();
  readonly nominations: PodNominations;

  constructor(options: SchedulingQueueOptions) {
    this.#options = options;
    this.#active = new Heap(uidOfQueued, options.less);
    this.#backoff = new BackoffQueue({ ...options.backoff, now: () => options.clock.monotonic(), less: options.less });
    this.nominations = new PodNominations(options.isPending);
  }

  /** The pods nominated for the node, in their current state if they are in the queue. */
  nominatedPodsForNode(nodeName: string): readonly PodInfo[] {
    const pods = this.nominations.on(nodeName);
    return pods.length === 0 ? pods : pods.map((pod) => this.get(pod.uid)?.podInfo ?? pod);
  }

  get pending(): PendingPods {
    return {
      active: this.#active.size,
      backoff: this.#backoff.size,
      unschedulable: this.#unschedulable.size,
      gated: this.#gated.size,
    };
  }

  get(uid: string): QueuedPod | undefined {
    return this.#active.get(uid) ?? this.#backoff.get(uid) ?? this.#unschedulable.get(uid) ?? this.#gated.get(uid);
  }

  add(pod: Pod): void {
    const queued = newQueuedPod(podInfoOf(pod), this.#options.clock.monotonic());
    if (this.#toActive(queued)) this.nominations.add(queued.podInfo);
  }

  /** Updates a pod. `events` describes the change for plugins. */
  update(before: Pod, pod: Pod, events: readonly IncomingEvent[]): void {
    const uid = uidOf(pod);
    if (this.#inFlight.has(uid)) {
      for (const event of events) this.#inFlight.add({ event, before, after: pod });
      return;
    }
    const queued = this.get(uid);
    if (queued === undefined) return this.add(pod);
    queued.podInfo = podInfoOf(pod);
    this.nominations.update(before, queued.podInfo);
    if (this.#active.has(uid)) this.#active.add(queued);
    else if (this.#backoff.get(uid) !== undefined) this.#backoff.add(queued);
    else
      for (const event of events)
        if (this.#requeue(queued, this.#strategyFor(queued, { event, before, after: pod }))) return;
  }

  delete(uid: string): void {
    this.nominations.delete(uid);
    this.#active.delete(uid);
    this.#leaveWaiting(uid);
  }

  /** Pops the next pod to try. Call `done` or `addUnschedulable` afterwards. If no pod is ready, pops one that still backs off. */
  pop(): QueuedPod | undefined {
    this.#flush();
    const next = this.#active.pop() ?? this.#backoff.popRefused();
    if (next === undefined) return undefined;
    if (!this.#inFlight.begin(uidOfQueued(next))) return this.pop();
    next.attempts++;
    return next;
  }

  /** Ends the attempt and stops recording changes for it. */
  done(uid: string): void {
    this.#inFlight.done(uid);
  }

  /** Returns a popped pod that found no node or failed to the queue. */
  addUnschedulable(queued: QueuedPod): void {
    const uid = uidOfQueued(queued);
    const missed = this.#inFlight.since(uid);
    this.#inFlight.done(uid);
    if (this.get(uid) !== undefined) return;
    if (hasNoRejector(queued)) queued.consecutiveErrors++;
    else {
      queued.unschedulableCount++;
      queued.consecutiveErrors = 0;
    }
    queued.timestamp = this.#options.clock.monotonic();
    this.#requeue(queued, this.#strategyForMissed(queued, missed));
  }

  /** Requeues pods that a change in the cluster may help. */
  moveAll(change: ClusterChange, precheck: (pod: PodInfo) => boolean = () => true): void {
    this.#move(
      [...this.#unschedulable.values()].filter(({ podInfo }) => precheck(podInfo)),
      change,
    );
  }

  /** Moves a waiting pod to the active queue. Requeues a pod in flight after its current attempt. */
  activate(pod: Pod): void {
    const uid = uidOf(pod);
    const queued = this.#unschedulable.get(uid) ?? this.#backoff.get(uid) ?? this.#gated.get(uid);
    if (queued !== undefined) this.#toActive(queued);
    else if (this.#inFlight.has(uid)) this.#inFlight.add({ event: FORCE_ACTIVATE, after: pod });
  }

  /** The monotonic time in milliseconds at which the queue next has work without any change. */
  nextDue(): number | undefined {
    const longest = this.#unschedulable.values().next().value;
    const times = [this.#backoff.nextDue(), longest && longest.timestamp + MAX_UNSCHEDULABLE];
    return times.reduce((a, b) => (a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)));
  }

  #flush(): void {
    for (const queued of this.#backoff.popCompleted()) this.#activateNow(queued);
    const old = this.#options.clock.monotonic() - MAX_UNSCHEDULABLE;
    const waited: QueuedPod[] = [];
    for (const queued of this.#unschedulable.values()) {
      if (queued.timestamp > old) break;
      waited.push(queued);
    }
    if (waited.length > 0) this.#move(waited, { event: UNSCHEDULABLE_TIMEOUT });
  }

  #move(pods: readonly QueuedPod[], change: ClusterChange): void {
    if (![...this.#options.profiles.values()].some(({ hints }) => hints.concern(change.event))) return;
    for (const queued of pods) {
      if (isGated(queued) && !this.#concernsGate(queued, change.event)) continue;
      const strategy = this.#strategyFor(queued, change);
      if (strategy !== 'skip') this.#requeue(queued, strategy);
    }
    this.#inFlight.add(change);
  }

  #concernsGate({ podInfo, gatingPlugin }: QueuedPod, event: IncomingEvent): boolean {
    return this.#profileOf(podInfo)?.hints.concernPlugin(gatingPlugin, event) ?? false;
  }

  #strategyFor(queued: QueuedPod, change: ClusterChange): Strategy {
    return this.#profileOf(queued.podInfo)?.hints.strategyFor(queued, change) ?? 'afterBackoff';
  }

  #strategyForMissed(queued: QueuedPod, missed: readonly ClusterChange[]): Strategy {
    if (hasNoRejector(queued)) return 'afterBackoff';
    const strategies = new Set(missed.map((change) => this.#strategyFor(queued, change)));
    return strategies.has('immediately') ? 'immediately' : strategies.has('afterBackoff') ? 'afterBackoff' : 'skip';
  }

  /** Returns whether the pod became active or backs off. */
  #requeue(queued: QueuedPod, strategy: Strategy): boolean {
    if (strategy === 'skip') {
      (isGated(queued) ? this.#gated : this.#unschedulable).set(uidOfQueued(queued), queued);
      return false;
    }
    if (strategy === 'immediately' || !this.#backoff.isBackingOff(queued)) return this.#toActive(queued);
    if (!this.#isAdmitted(queued)) return false;
    this.#leaveWaiting(uidOfQueued(queued));
    this.#backoff.add(queued);
    this.#options.onActive();
    return true;
  }

  #toActive(queued: QueuedPod): boolean {
    if (!this.#isAdmitted(queued)) return false;
    this.#activateNow(queued);
    return true;
  }

  #activateNow(queued: QueuedPod): void {
    const uid = uidOfQueued(queued);
    queued.initialAttempt ??= this.#options.clock.monotonic();
    this.#leaveWaiting(uid);
    this.#active.add(queued);
    this.#options.onActive();
  }

  #leaveWaiting(uid: string): void {
    this.#unschedulable.delete(uid);
    this.#gated.delete(uid);
    this.#backoff.delete(uid);
  }

  /** A gated pod waits for the changes that its gating plugin registered for. */
  #isAdmitted(queued: QueuedPod): boolean {
    queued.gatingPlugin = this.#gateOf(queued);
    if (!isGated(queued)) return true;
    queued.unschedulablePlugins = new Set([...queued.unschedulablePlugins, queued.gatingPlugin]);
    this.#leaveWaiting(uidOfQueued(queued));
    this.#gated.set(uidOfQueued(queued), queued);
    return false;
  }

  #gateOf({ podInfo }: QueuedPod): string {
    const plugins = this.#profileOf(podInfo)?.preEnqueue ?? [];
    return plugins.find((plugin) => outcomeOf(() => plugin.preEnqueue(podInfo)) !== undefined)?.name ?? '';
  }

  #profileOf({ pod }: PodInfo): QueueProfile | undefined {
    return this.#options.profiles.get(pod.spec.schedulerName ?? '');
  }
}
