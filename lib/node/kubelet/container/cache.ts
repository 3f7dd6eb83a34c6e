import { messageOfError } from '#lib/machinery/error-message.ts';
import type { RuntimePodStatus } from './runtime.ts';

interface Entry {
  readonly status: RuntimePodStatus | Error;
  /** When the status was last confirmed. */
  observed: number;
}

interface Waiter {
  readonly time: number;
  readonly resolve: (status: RuntimePodStatus) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The last pod statuses read from the runtime (upstream: container.Cache). Times are monotonic, because a pod can be synced and listed
 * within a millisecond.
 */
export class PodStatusCache {
  readonly #entries = new Map<string, Entry>();
  readonly #waiters = new Map<string, Waiter[]>();
  /** A lower bound for the time of all entries. */
  #time: number | undefined;

  /** The last status. It is empty if the runtime does not have the pod. Throws the error of the last read. */
  get(uid: string): RuntimePodStatus {
    const status = this.#entries.get(uid)?.status ?? unknownPod(uid);
    if (status instanceof Error) throw status;
    return status;
  }

  /** The addresses in the last status. Empty if it could not be read. */
  lastIPs(uid: string): readonly string[] {
    const status = this.#entries.get(uid)?.status;
    return status === undefined || status instanceof Error ? [] : status.ips;
  }

  /** Waits for a status that was read after the time. Rejects with the error of that read. */
  newerThan(uid: string, time: number): Promise<RuntimePodStatus> {
    return new Promise((resolve, reject) => {
      const waiter = { time, resolve, reject };
      if (this.#observed(uid) > time) this.#answer(uid, waiter);
      else this.#waiters.set(uid, [...(this.#waiters.get(uid) ?? []), waiter]);
    });
  }

  /** Sets the status that was read at the time, or the error. */
  set(uid: string, status: RuntimePodStatus | Error, time: number): void {
    this.#entries.set(uid, { status, observed: time });
    this.#notify(uid, time);
  }

  /** Records that the status was current at the time. */
  setObservedTime(uid: string, time: number): void {
    const entry = this.#entries.get(uid);
    if (entry !== undefined) entry.observed = time;
    this.#notify(uid, time);
  }

  delete(uid: string): void {
    this.#entries.delete(uid);
  }

  /** Records that all statuses were current at the time, and that the runtime had no other pods. */
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
