import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { IncomingEvent } from '../../framework/events.ts';

/** A change with the object before and after it. */
export interface ClusterChange {
  readonly event: IncomingEvent;
  readonly before?: JsonObject | undefined;
  readonly after?: JsonObject | undefined;
}

/** Records changes that happen during attempts. A pod found unschedulable may have missed the change that helps it. */
export class InFlightEvents {
  /** The number of the next event at the time the pod was popped, by uid; oldest pod first. */
  readonly #pods = new Map<string, number>();
  readonly #events = new Map<number, ClusterChange>();
  #next = 0;

  /** Returns false if the pod already has an attempt in flight. */
  begin(uid: string): boolean {
    if (this.#pods.has(uid)) return false;
    this.#pods.set(uid, this.#next);
    return true;
  }

  has(uid: string): boolean {
    return this.#pods.has(uid);
  }

  /** Records the change if any attempt is in flight. */
  add(change: ClusterChange): void {
    if (this.#pods.size > 0) this.#events.set(this.#next++, change);
  }

  /** The changes since the pod was popped. */
  since(uid: string): readonly ClusterChange[] {
    const from = this.#pods.get(uid) ?? this.#next;
    return [...this.#events].flatMap(([number, change]) => (number >= from ? [change] : []));
  }

  done(uid: string): void {
    this.#pods.delete(uid);
    const oldest = this.#pods.values().next().value ?? this.#next;
    for (const number of this.#events.keys()) {
      if (number >= oldest) return;
      this.#events.delete(number);
    }
  }
}
