import { API_SERVICES } from '#lib/api/types/resources.ts';
import type { GroupVersion } from '#lib/machinery/schema.ts';
import { keyPrefix, objectKey } from '#lib/storage/keys.ts';
import { RECENT } from '#lib/storage/lookup.ts';
import type { StorageOf, StoredObject } from '#lib/storage/storage.ts';

/** The storage and the cluster of APIServices. */
export interface ApiServiceStore {
  readonly storageOf: StorageOf;
  readonly cluster: string;
}

const { group, resource } = API_SERVICES;

/** Returns the APIService of a group version, read in memory, at most a second old. */
export function storedApiService(
  { storageOf, cluster }: ApiServiceStore,
  of: GroupVersion,
): Promise<StoredObject | undefined> {
  const name = `${of.version}.${of.group}`;
  return storageOf({ group, resource }).get(objectKey({ cluster, group, resource, namespace: '', name }), RECENT);
}

/** Returns all APIServices by name. Each is the identical object until it changes. */
export async function storedApiServices({ storageOf, cluster }: ApiServiceStore): Promise<readonly StoredObject[]> {
  const prefix = keyPrefix({ cluster, group, resource });
  return (await storageOf({ group, resource }).list({ prefix, at: RECENT, limit: 0 })).objects;
}
