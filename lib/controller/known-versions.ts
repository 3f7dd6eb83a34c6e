import type { Version } from '#lib/storage/sequence.ts';
import { requestKey, type ReconcileMessage } from './delivery.ts';

const REMEMBERED = 20_000;

/**
 * What this process has reconciled, per object and sequence up to which version: a message that tells nothing new is dropped.
 * Forgetting costs a reconcile, never more.
 */
export class KnownVersions {
  readonly #versions = new Map<string, Version>();
  readonly #limit: number;

  constructor(limit = REMEMBERED) {
    this.#limit = limit;
  }

  /** Whether a change at least as new was reconciled. Never of what came by way of `later`. */
  has(message: ReconcileMessage): boolean {
    if (message.later !== undefined) return false;
    return (this.#versions.get(keyOf(message)) ?? -1) >= message.version;
  }

  add(message: ReconcileMessage): void {
    const key = keyOf(message);
    const version = Math.max(message.version, this.#versions.get(key) ?? 0);
    this.#versions.delete(key);
    this.#versions.set(key, version);
    if (this.#versions.size > this.#limit) this.#versions.delete(this.#versions.keys().next().value ?? '');
  }
}

const keyOf = (message: ReconcileMessage): string => `${requestKey(message)}${message.sequence}`;
