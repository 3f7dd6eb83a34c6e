import type { ObjectMeta } from '#lib/api/types/meta.v1.ts';
import { clone } from '#lib/machinery/json-value.ts';
import { keepField } from './status.ts';

/** The metadata that a status write may set: resourceVersion and managedFields. */
const OWN = ['managedFields', 'resourceVersion'] as const;

/** Upstream's ResetObjectMetaForStatus: a status endpoint keeps the metadata. */
export function keepMetadata(object: { metadata: ObjectMeta }, old: { metadata: ObjectMeta }): void {
  const metadata = clone(old.metadata);
  for (const field of OWN) keepField(metadata, object.metadata, field);
  object.metadata = metadata;
}
