import type { Condition, ObjectMeta } from '#lib/api/types/meta.v1.ts';
import type { GroupResource, ResourceOf } from '#lib/machinery/schema.ts';

/**
 * A `StorageVersionMigration` of `storagemigration.k8s.io/v1beta1`, limited to the fields that its controller reads. A definition serves
 * it,
 * so any part may be absent.
 */
export type StorageVersionMigration = {
  metadata: ObjectMeta;
  spec?: { resource?: { group?: string; resource?: string } };
  status?: { conditions?: Condition[]; resourceVersion?: string };
};

/** The resource of migrations. */
export const MIGRATIONS: ResourceOf<StorageVersionMigration> = {
  group: 'storagemigration.k8s.io',
  version: 'v1beta1',
  resource: 'storageversionmigrations',
};

/** The resource whose objects a migration rewrites. */
export const resourceOf = ({ spec }: StorageVersionMigration): GroupResource => ({
  group: spec?.resource?.group ?? '',
  resource: spec?.resource?.resource ?? '',
});
