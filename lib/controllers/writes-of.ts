import type { ManagedFieldsEntry, ObjectMeta } from '#lib/api/types/meta.v1.ts';
import { isObject } from '#lib/machinery/json-value.ts';
import { at } from '#lib/machinery/unstructured.ts';

/**
 * The entries of managers that own a field. The field is a path of keys in `fieldsV1` (`f:spec`, `k:{"type":"Ready"}`). Each entry has the
 * time of its last write.
 */
export const writesOf = ({ managedFields = [] }: ObjectMeta, ...field: string[]): ManagedFieldsEntry[] =>
  managedFields.filter(({ fieldsV1 }) => isObject(fieldsV1) && at(fieldsV1, ...field) !== undefined);
