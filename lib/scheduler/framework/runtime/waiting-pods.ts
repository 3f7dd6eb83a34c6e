import type { Clock } from '#lib/machinery/clock.ts';
import { durationText } from '#lib/machinery/duration.ts';
import type { PodInfo } from '../pod-info.ts';
import { errorStatus, newStatus, type Outcome, withPlugin } from '../status.ts';

/** A pod that plugins of Permit have wait. */
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

  /** False where it had ended before. */
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

  /** Of the plugins that still wait for something. */
  pending(uid: string): readonly string[] {
    return [...(this.#pods.get(uid)?.pending ?? [])];
  }

  /** Success at once where the pod does not wait. */
  async outcome(uid: string): Promise<Outcome> {
    const outcome = await this.#pods.get(uid)?.outcome;
    this.#pods.delete(uid);
    return outcome;
  }

  allow(uid: string, plugin: string): void {
    this.#pods.get(uid)?.allow(plugin);
  }

  /** False where it does not wait any more. */
  reject(uid: string, plugin: string, message: string): boolean {
    return this.#pods.get(uid)?.end(withPlugin(newStatus('Unschedulable', message), plugin)) ?? false;
  }

  /** As `reject`, but it is tried again soon: it was not refused, only its place was taken. */
  preempt(uid: string, plugin: string, message: string): boolean {
    return this.#pods.get(uid)?.end(errorStatus(message, plugin)) ?? false;
  }

  /** Ends all waiting: the process ends. */
  close(): void {
    for (const pod of this.#pods.values()) pod.end(errorStatus('the scheduler ends'));
  }
}
