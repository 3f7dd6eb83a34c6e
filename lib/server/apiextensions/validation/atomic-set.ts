import type { JSONSchemaProps } from '#lib/api/schema/json-schema-props.ts';

/** Whether items of a set are no unit: lists of another type than atomic, objects that are not said to be atomic. */
export function isNonAtomicSet({ listType, items }: JSONSchemaProps): boolean {
  if (listType !== 'set' || items === undefined) return false;
  if (items.type === 'array') return items.listType !== undefined && items.listType !== 'atomic';
  return items.type === 'object' && items.mapType !== 'atomic';
}
