import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { qualifiedResource } from '#lib/machinery/schema.ts';
import { countObjects } from '#lib/storage/count-objects.ts';
import type { Storage } from '#lib/storage/storage.ts';

/** The number of objects of each resource in the open storages, counted on each scrape. */
export function storedObjects(open: () => Iterable<Storage>, cluster: string): Collector {
  return {
    async collect(): Promise<readonly Family[]> {
      const counts = (await Promise.all([...open()].map((storage) => countObjects(storage, cluster)))).flat();
      const help = 'Objects that are stored.';
      return [
        {
          name: 'apiserver_storage_objects',
          help,
          type: 'gauge',
          samples: counts.map(({ count, ...resource }) => ({
            labels: { resource: qualifiedResource(resource) },
            value: count,
          })),
        },
        {
          name: 'apiserver_resource_objects',
          help,
          type: 'gauge',
          samples: counts.map(({ group, resource, count }) => ({ labels: { group, resource }, value: count })),
        },
      ];
    },
  };
}
