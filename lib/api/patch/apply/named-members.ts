import { type FieldSet, isEmpty, type OpenSet, withSelf } from './field-set.ts';
import type { TypedSchema } from './schema.ts';

/**
 * Returns the set with every named struct field that has owned parts as a member: upstream's EnsureNamedFieldsAreMembers. Map entries and
 * list items stay members only if they already are.
 */
export function withNamedMembers(set: FieldSet, schema: TypedSchema | undefined): FieldSet {
  if (isEmpty(set)) return set;
  const out: OpenSet = {};
  for (const element in set) {
    const node = set[element] as FieldSet;
    out[element] = isEmpty(node) ? node : childWithMembers(element, node, schema);
  }
  return out;
}

function childWithMembers(element: string, node: FieldSet, schema: TypedSchema | undefined): FieldSet {
  if (element.startsWith('f:')) {
    const field = schema?.map?.fields.get(element.slice(2));
    const child = withNamedMembers(node, field?.type ?? schema?.map?.values);
    return field === undefined ? child : withSelf(child);
  }
  return withNamedMembers(node, element.startsWith('k:') ? schema?.list?.items : undefined);
}
