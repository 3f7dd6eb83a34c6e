import type { StoreError } from '../errors.ts';
import type { Change, Version } from '../sequence.ts';
import type { ChangeEvent } from './item.ts';
import type { Subscription } from './subscription.ts';
import { isWanted } from './wanted.ts';

/** Dispatches each change to the watchers of its key. Finds them by key and by the prefixes that end at a part boundary. */
export class WatchHub {
  readonly #buckets = new Map<string, Set<Subscription>>();
  readonly #onActive: (active: boolean) => void;

  /** `onActive` is called when the first watcher starts and when the last one ends. */
  constructor(onActive: (active: boolean) => void) {
    this.#onActive = onActive;
  }

  get isActive(): boolean {
    return this.#buckets.size > 0;
  }

  add(subscription: Subscription): void {
    const { bucket } = subscription;
    const known = this.#buckets.get(bucket);
    if (known !== undefined) {
      known.add(subscription);
      return;
    }
    this.#buckets.set(bucket, new Set([subscription]));
    if (this.#buckets.size === 1) this.#onActive(true);
  }

  remove(subscription: Subscription): void {
    const { bucket } = subscription;
    const known = this.#buckets.get(bucket);
    if (known === undefined || !known.delete(subscription) || known.size > 0) return;
    this.#buckets.delete(bucket);
    if (this.#buckets.size === 0) this.#onActive(false);
  }

  /** Whether any watcher may want the change. */
  isWatched(change: Change): boolean {
    if (!this.isActive) return false;
    return bucketsOf(change.key).some((bucket) =>
      this.#buckets
        .get(bucket)
        ?.values()
        .some(({ wants }) => isWanted(wants, change)),
    );
  }

  dispatch(event: ChangeEvent): void {
    if (!this.isActive) return;
    for (const bucket of bucketsOf(event.change.key)) {
      const subscriptions = this.#buckets.get(bucket);
      if (subscriptions !== undefined) for (const subscription of subscriptions) subscription.offer(event);
    }
  }

  bookmark(version: Version): void {
    for (const subscription of this.#all()) subscription.bookmark(version);
  }

  endAll(error?: StoreError): void {
    for (const subscription of Array.from(this.#all())) {
      subscription.end(error);
      this.remove(subscription);
    }
  }

  *#all(): Generator<Subscription> {
    for (const subscriptions of this.#buckets.values()) yield* subscriptions;
  }
}

/** Watchers of everything are last. They belong to this process's own reconcilers, and clients wait for the events of the others. */
function bucketsOf(key: string): string[] {
  const buckets = [key];
  for (let at = key.indexOf('/'); at >= 0; at = key.indexOf('/', at + 1)) buckets.push(key.slice(0, at + 1));
  buckets.push('');
  return buckets;
}
