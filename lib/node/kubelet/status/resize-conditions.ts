import type { Pod, PodCondition } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { timeOf } from '#lib/machinery/time-at.ts';

/** The content of a condition. `generation` is the pod's generation for the resize. */
export interface ResizeVerdict {
  readonly reason?: string;
  readonly message?: string;
  readonly generation: number;
}

interface Held {
  readonly pending?: PodCondition;
  readonly inProgress?: PodCondition;
}

/** The conditions PodResizePending and PodResizeInProgress of the node's pods, by uid (upstream: those of status.Manager). */
export class PodResizeConditions {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #held = new Map<string, Held>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** The conditions of a pod, PodResizePending first. */
  of(uid: string): PodCondition[] {
    const { pending, inProgress } = this.#of(uid);
    return [pending, inProgress].filter((one) => one !== undefined);
  }

  /** The condition PodResizePending of a pod. */
  pending(uid: string): PodCondition | undefined {
    return this.#of(uid).pending;
  }

  /** The condition PodResizeInProgress of a pod. */
  inProgress(uid: string): PodCondition | undefined {
    return this.#of(uid).inProgress;
  }

  isDeferred(uid: string): boolean {
    return this.#of(uid).pending?.reason === 'Deferred';
  }

  isInfeasible(uid: string): boolean {
    return this.#of(uid).pending?.reason === 'Infeasible';
  }

  /** Sets PodResizePending. Every reason except Infeasible counts as Deferred. Returns whether the reason or generation changed. */
  setPending(uid: string, verdict: ResizeVerdict): boolean {
    const { pending: before, ...rest } = this.#of(uid);
    const reason = verdict.reason === 'Infeasible' ? 'Infeasible' : 'Deferred';
    const pending = this.#condition('PodResizePending', before, { ...verdict, reason });
    this.#held.set(uid, { ...rest, pending });
    return before?.reason !== reason || before.observedGeneration !== verdict.generation;
  }

  /**
   * Sets PodResizeInProgress. An existing condition keeps its generation, and its reason if none is given. Returns the generation of the
   * condition, and whether more than its time changed.
   */
  setInProgress(uid: string, verdict: ResizeVerdict): { readonly generation: number; readonly isChanged: boolean } {
    const { inProgress: before, ...rest } = this.#of(uid);
    const generation = Number(before?.observedGeneration ?? verdict.generation);
    const isBlank = (verdict.reason ?? '') === '' && (verdict.message ?? '') === '';
    const { reason, message } = isBlank ? { reason: before?.reason, message: before?.message } : verdict;
    const next = { generation, ...defined({ reason, message }) };
    this.#held.set(uid, { ...rest, inProgress: this.#condition('PodResizeInProgress', before, next) });
    const isSame = before?.reason === reason && before?.message === message;
    return { generation, isChanged: before === undefined || !isSame };
  }

  clearPending(uid: string): void {
    const { pending: _, ...rest } = this.#of(uid);
    this.#set(uid, rest);
  }

  /** Returns the generation of the removed condition, or undefined if there was none. */
  clearInProgress(uid: string): number | undefined {
    const { inProgress, ...rest } = this.#of(uid);
    this.#set(uid, rest);
    return inProgress === undefined ? undefined : Number(inProgress.observedGeneration ?? 0);
  }

  /** Restores the conditions from the API after a restart of the agent. */
  backfill(pods: readonly Pod[]): void {
    for (const pod of pods) {
      for (const { type, reason, message, observedGeneration } of pod.status.conditions ?? []) {
        if (type !== 'PodResizePending' && type !== 'PodResizeInProgress') continue;
        const verdict = { generation: Number(observedGeneration ?? 0), ...defined({ reason, message }) };
        const condition = this.#condition(type, undefined, verdict);
        const field = type === 'PodResizePending' ? { pending: condition } : { inProgress: condition };
        this.#held.set(uidOf(pod), { ...this.#of(uidOf(pod)), ...field });
      }
    }
  }

  /** Forgets a pod. */
  forget(uid: string): void {
    this.#held.delete(uid);
  }

  #of(uid: string): Held {
    return this.#held.get(uid) ?? {};
  }

  #set(uid: string, held: Held): void {
    if (held.pending === undefined && held.inProgress === undefined) this.#held.delete(uid);
    else this.#held.set(uid, held);
  }

  #condition(type: string, before: PodCondition | undefined, verdict: ResizeVerdict): PodCondition {
    const { reason = '', message = '', generation } = verdict;
    const now = timeOf(this.#clock.now());
    const isSame = before !== undefined && (before.reason ?? '') === reason;
    return {
      type,
      ...(generation === 0 ? {} : { observedGeneration: generation }),
      status: 'True',
      lastProbeTime: now,
      lastTransitionTime: isSame ? before.lastTransitionTime : now,
      ...(reason === '' ? {} : { reason }),
      ...(message === '' ? {} : { message }),
    };
  }
}
