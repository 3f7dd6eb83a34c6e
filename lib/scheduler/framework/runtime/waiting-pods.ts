import type { Clock } from '#lib/machinery/clock.ts';
import { durationText } from '#lib/machinery/duration.ts';
import type { PodInfo } from '../pod-info.ts';
import { errorStatus, newStatus, type Outcome, withPlugin } from '../status.ts';

/** A pod that Permit plugins hold back. */
class WaitingPod {
  readonly pod: PodInfo;
  readonly outcome: Promise<Outcome>;
  readonly #pending: Set<string>;
  readonly #ending = new AbortController();
  readonly #resolve: (outcome: Outcome) => void;

  constructor(pod: PodInfo, waits: ReadonlyMap<string, number>, clock: Clock) {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.pod = pod;
    this.outcome = promise;
    this.#resolve = resolve;
    this.#pending = new Set(waits.keys());
    for (const [plugin, timeout] of waits) void this.#expire(plugin, timeout, clock);
  }

  get pending(): ReadonlySet<string> {
    return this.#pending;
  }

  allow(plugin: string): void {
    this.#pending.delete(plugin);
    if (this.#pending.size === 0) this.end(undefined);
  }

  /** Returns false if the wait had already ended. */
  end(outcome: Outcome): boolean {
    if (this.#ending.signal.aborted) return false;
    this.#ending.abort();
    this.#resolve(outcome);
    return true;
  }

  async #expire(plugin: string, timeout: number, clock: Clock): Promise<void> {
    await clock.sleep(timeout, this.#ending.signal);
    const message = `rejected due to timeout after waiting ${durationText(BigInt(timeout) * 1_000_000n)} at plugin ${plugin}`;
    this.end(withPlugin(newStatus('Unschedulable', message), plugin));
  }
}

/** Pods between Permit and PreBind, by uid. */
export class WaitingPods {
  readonly #pods = new Map<string, WaitingPod>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(pod: PodInfo, waits: ReadonlyMap<string, number>): void {
    this.#pods.set(pod.uid, new WaitingPod(pod, waits, this.#clock));
  }

  has(uid: string): boolean {
    return this.#pods.has(uid);
  }

  /** The plugins that still hold the pod back. */
  pending(uid: string): readonly string[] {
    return [...(this.#pods.get(uid)?.pending ?? [])];
  }

  /** Waits for the outcome. Returns success at once if the pod does not wait. */
  async outcome(uid: string): Promise<Outcome> {
    const outcome = await this.#pods.get(uid)?.outcome;
    this.#pods.delete(uid);
    return outcome;
  }

  allow(uid: string, plugin: string): void {
    this.#pods.get(uid)?.allow(plugin);
  }

  /** Rejects a waiting pod. Returns false if it no longer waits. */
  reject(uid: string, plugin: string, message: string): boolean {
    return this.#pods.get(uid)?.end(withPlugin(newStatus('Unschedulable', message), plugin)) ?? false;
  }

  /** Like `reject`, but the pod is retried soon, because it was preempted and not refused. */
  preempt(uid: string, plugin: string, message: string): boolean {
    return this.#pods.get(uid)?.end(errorStatus(message, plugin)) ?? false;
  }

  /** Ends all waits at shutdown. */
  close(): void {
    for (const pod of this.#pods.values()) pod.end(errorStatus('the scheduler ends'));
  }
}
