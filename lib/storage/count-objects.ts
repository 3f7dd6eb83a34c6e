import { keyPrefix, parseKey } from './keys.ts';
import type { Storage } from './storage.ts';

/** The number of stored objects of a resource. */
export interface ResourceCount {
  readonly group: string;
  readonly resource: string;
  readonly count: number;
}

const NOW = { kind: 'any', within: Number.POSITIVE_INFINITY } as const;
/** Sorts after every key of a prefix. */
const END = '\u{10ffff}';

/** Counts the objects of each resource in a storage, as far as possible without reading everything. */
export async function countObjects(storage: Storage, cluster: string): Promise<ResourceCount[]> {
  const counts: ResourceCount[] = [];
  let after = `${cluster}/`;
  for (;;) {
    const { objects } = await storage.list({ prefix: `${cluster}/`, at: NOW, limit: 1, afterKey: after });
    const [first] = objects;
    if (first === undefined) return counts;
    const { group, resource } = parseKey(first.key);
    const prefix = keyPrefix({ cluster, group, resource });
    const page = await storage.list({ prefix, at: NOW, limit: 1 });
    const known = page.nextAfter === undefined || page.remaining !== undefined;
    if (known) counts.push({ group, resource, count: page.objects.length + (page.remaining ?? 0) });
    after = `${prefix}${END}`;
  }
}
