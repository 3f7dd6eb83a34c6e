import { messageOfError } from '#lib/machinery/error-message.ts';
import type { RuntimePodStatus } from './runtime.ts';

interface Entry {
  readonly status: RuntimePodStatus | Error;
  /** When the status was last found to be right. */
  observed: number;
}

interface Waiter {
  readonly time: number;
  readonly resolve: (status: RuntimePodStatus) => void;
  readonly reject: (error: Error) => void;
}

/** The runtime's statuses of pods as they were read last (upstream: container.Cache). Times are those of the monotonic clock: within a millisecond a pod is synced and listed. */
export class PodStatusCache {
  readonly #entries = new Map<string, Entry>();
  readonly #waiters = new Map<string, Waiter[]>();
  /** All entries are at least so new. */
  #time: number | undefined;

  /** The last status; an empty one where the runtime does not know the pod. Throws the error of the last reading. */
  get(uid: string): RuntimePodStatus {
    const status = this.#entries.get(uid)?.status ?? unknownPod(uid);
    if (status instanceof Error) throw status;
    return status;
  }

  /** The addresses of the last status; none where it could not be read. */
  lastIPs(uid: string): readonly string[] {
    const status = this.#entries.get(uid)?.status;
    return status === undefined || status instanceof Error ? [] : status.ips;
  }

  /** A status that was read after the time; waits for it. Rejects with the error of that reading. */
  newerThan(uid: string, time: number): Promise<RuntimePodStatus> {
    return new Promise((resolve, reject) => {
      const waiter = { time, resolve, reject };
      if (this.#observed(uid) > time) this.#answer(uid, waiter);
      else this.#waiters.set(uid, [...(this.#waiters.get(uid) ?? []), waiter]);
    });
  }

  /** Sets the status that was read at the time, or why it could not be. */
  set(uid: string, status: RuntimePodStatus | Error, time: number): void {
    this.#entries.set(uid, { status, observed: time });
    this.#notify(uid, time);
  }

  /** Notes that the status was right at the time. */
  setObservedTime(uid: string, time: number): void {
    const entry = this.#entries.get(uid);
    if (entry !== undefined) entry.observed = time;
    this.#notify(uid, time);
  }

  delete(uid: string): void {
    this.#entries.delete(uid);
  }

  /** Notes that all statuses were right at the time, and that other pods were unknown to the runtime. */
  updateTime(time: number): void {
    this.#time = time;
    for (const uid of this.#waiters.keys()) this.#notify(uid, time);
  }

  #observed(uid: string): number {
    return Math.max(this.#time ?? -Infinity, this.#entries.get(uid)?.observed ?? -Infinity);
  }

  #notify(uid: string, time: number): void {
    const waiters = this.#waiters.get(uid) ?? [];
    const [due, early] = [waiters.filter((one) => one.time <= time), waiters.filter((one) => one.time > time)];
    if (early.length === 0) this.#waiters.delete(uid);
    else this.#waiters.set(uid, early);
    for (const waiter of due) this.#answer(uid, waiter);
  }

  #answer(uid: string, { resolve, reject }: Waiter): void {
    try {
      resolve(this.get(uid));
    } catch (error) {
      reject(error instanceof Error ? error : new Error(messageOfError(error)));
    }
  }
}

const unknownPod = (uid: string): RuntimePodStatus => ({
  uid,
  name: '',
  namespace: '',
  ips: [],
  containerStatuses: [],
  activeContainerStatuses: [],
  sandboxStatuses: [],
  timestamp: 0,
});
