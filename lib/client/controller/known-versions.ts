import type { Version } from '#lib/storage/sequence.ts';
import { type ReconcileMessage, requestKey } from './delivery.ts';

const REMEMBERED = 20_000;
/** The maximum clock difference in ms between two processes. */
const SKEW = 1000;

/**
 * The versions that this process has reconciled, by object and sequence, and the objects with a pending requeue. A message that contains no
 * newer version is dropped. A forgotten entry costs only one extra reconciliation.
 */
export class KnownVersions {
  readonly #versions = new Map<string, Version>();
  /** The time of a reconciler's last request to requeue an object, if the request is stored. */
  readonly #asked = new Map<string, number>();
  readonly #limit: number;

  constructor(limit = REMEMBERED) {
    this.#limit = limit;
  }

  /**
   * Whether a change at least as new was already reconciled. For a message through `later`, whether the reconciler has requested another
   * requeue since. Otherwise each change of an object with a regular requeue would start an additional chain of requeues.
   */
  has(message: ReconcileMessage): boolean {
    const { later, asked = Number.POSITIVE_INFINITY, version } = message;
    if (later !== undefined) return asked + SKEW < (this.#asked.get(requestKey(message)) ?? 0);
    return (this.#versions.get(keyOf(message)) ?? -1) >= version;
  }

  add(message: ReconcileMessage): void {
    this.#keep(this.#versions, keyOf(message), message.version);
  }

  /**
   * Records that an object will be reconciled again, because its reconciler succeeded and requested this at the given time (ms since 1970).
   */
  awaits(message: ReconcileMessage, asked: number): void {
    this.#keep(this.#asked, requestKey(message), asked);
  }

  #keep(values: Map<string, number>, key: string, value: number): void {
    const most = Math.max(value, values.get(key) ?? 0);
    values.delete(key);
    values.set(key, most);
    if (values.size > this.#limit) values.delete(values.keys().next().value ?? '');
  }
}

const keyOf = (message: ReconcileMessage): string => `${requestKey(message)}${message.sequence}`;
