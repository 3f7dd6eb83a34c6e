import type { PodSyncResult } from './container/sync-result.ts';
import type { StartFailure } from './kubelet-pods/container-statuses.ts';

/** Maximum number of failures. The cache evicts the oldest. */
const MOST = 1000;

/** The reasons of the last failed container starts, by pod and name (upstream: ReasonCache). */
export class ReasonCache {
  readonly #reasons = new Map<string, StartFailure>();

  /** Records the container starts of a sync. */
  update(uid: string, { results }: PodSyncResult): void {
    for (const { action, target, error } of results) {
      if (action !== 'StartContainer') continue;
      const key = keyOf(uid, target);
      this.#reasons.delete(key);
      if (error !== undefined) this.#reasons.set(key, { reason: error.reason, message: error.message });
    }
    for (const key of this.#reasons.keys()) {
      if (this.#reasons.size <= MOST) return;
      this.#reasons.delete(key);
    }
  }

  get(uid: string, container: string): StartFailure | undefined {
    return this.#reasons.get(keyOf(uid, container));
  }
}

const keyOf = (uid: string, container: string): string => `${uid}_${container}`;
