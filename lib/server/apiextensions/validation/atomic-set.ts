import type { JSONSchemaProps } from '#lib/api/schema/json-schema-props.ts';

/** Whether the items of a set are not atomic: lists with a type other than atomic, or objects that are not declared atomic. */
export function isNonAtomicSet({ listType, items }: JSONSchemaProps): boolean {
  if (listType !== 'set' || items === undefined) return false;
  if (items.type === 'array') return items.listType !== undefined && items.listType !== 'atomic';
  return items.type === 'object' && items.mapType !== 'atomic';
}
