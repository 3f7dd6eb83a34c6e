import type { Version } from '#lib/storage/sequence.ts';
import { type ReconcileMessage, requestKey } from './delivery.ts';

const REMEMBERED = 20_000;
/** Milliseconds by which the clocks of two processes may differ. */
const SKEW = 1000;

/**
 * The versions that this process has reconciled, by object and sequence, and the objects that it will be asked about again: a
 * message that tells nothing new is dropped. An entry that is forgotten costs one reconcile.
 */
export class KnownVersions {
  readonly #versions = new Map<string, Version>();
  /** When a reconciler last asked to look at an object again, and that is stored. */
  readonly #asked = new Map<string, number>();
  readonly #limit: number;

  constructor(limit = REMEMBERED) {
    this.#limit = limit;
  }

  /**
   * Whether a change at least as new was reconciled. Of what came by way of `later`: whether the reconciler has since asked for
   * another time. Otherwise each change of an object that is looked at every minute would begin one more such row.
   */
  has(message: ReconcileMessage): boolean {
    const { later, asked = Number.POSITIVE_INFINITY, version } = message;
    if (later !== undefined) return asked + SKEW < (this.#asked.get(requestKey(message)) ?? 0);
    return (this.#versions.get(keyOf(message)) ?? -1) >= version;
  }

  add(message: ReconcileMessage): void {
    this.#keep(this.#versions, keyOf(message), message.version);
  }

  /** An object will be looked at again, as its reconciler asked, having succeeded, at this time (milliseconds since 1970). */
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
