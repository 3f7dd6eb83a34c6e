import type { Clock } from '#lib/machinery/clock.ts';
import { StoreError } from '#lib/storage/errors.ts';
import { keyPrefix } from '#lib/storage/keys.ts';
import type { StoredResource } from '#lib/storage/sequences.ts';
import type { Storage } from '#lib/storage/storage.ts';
import type { StoredStats } from './work-estimate.ts';

/** How long a count remains valid, in ms. Upstream counts once per minute. */
const BELIEVED = 60_000;
/** The number of objects that are sampled for the average size. */
const SAMPLE = 20;
const NOW = { kind: 'any', within: Number.POSITIVE_INFINITY } as const;

/** The ports of StoredStatsSampler. */
export interface StoredStatsPorts {
  readonly clock: Clock;
  readonly cluster: string;
  /** The storage of a resource, if already open. Estimates never open a storage. */
  opened(resource: StoredResource): Storage | undefined;
}

/**
 * Estimates the number and size of the stored objects of each resource. A call returns the last sample and starts a new one if it is too
 * old.
 */
export class StoredStatsSampler {
  readonly #ports: StoredStatsPorts;
  readonly #known = new Map<string, { readonly at: number; stats?: StoredStats }>();

  constructor(ports: StoredStatsPorts) {
    this.#ports = ports;
  }

  /** Undefined if there is no sample yet. */
  readonly stats = ({ group, resource }: StoredResource): StoredStats | undefined => {
    const storage = this.#ports.opened({ group, resource });
    if (storage === undefined) return undefined;
    const key = `${group}/${resource}`;
    const known = this.#known.get(key);
    const now = this.#ports.clock.monotonic();
    if (known !== undefined && now - known.at < BELIEVED) return known.stats;
    const next = { at: now, ...(known?.stats === undefined ? {} : { stats: known.stats }) };
    this.#known.set(key, next);
    void this.#look(storage, { group, resource }, next);
    return next.stats;
  };

  async #look(storage: Storage, { group, resource }: StoredResource, next: { stats?: StoredStats }): Promise<void> {
    try {
      const prefix = keyPrefix({ cluster: this.#ports.cluster, group, resource });
      const { objects, remaining } = await storage.list({ prefix, at: NOW, limit: SAMPLE });
      const bytes = objects.reduce((sum, { body }) => sum + body.length, 0);
      const averageBytes = objects.length === 0 ? 0 : bytes / objects.length;
      next.stats = { objects: objects.length + (remaining ?? 0), averageBytes };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }
}
