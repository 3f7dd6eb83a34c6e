import { type FieldSet, hasChildren, isMember, LEAF, type OpenSet } from './field-set.ts';
import { fieldType, type MapType, type TypedSchema } from './schema.ts';

/**
 * Adapts a set written with an older schema to this one. If a value has become atomic, the owner of a part of it then owns the whole value.
 * Upstream's ReconcileFieldSetWithSchema. Returns the set itself if nothing changes.
 */
export function reconcile(set: FieldSet, schema: TypedSchema): FieldSet {
  return reconcileNode(set, schema, false);
}

/** Upstream treats a member without children as already atomic. */
function reconcileNode(node: FieldSet, schema: TypedSchema, atomic: boolean): FieldSet {
  if (schema.map !== undefined) return reconcileMap(node, schema.map, atomic);
  if (schema.scalar !== undefined || schema.list === undefined) return node;
  if (schema.list.relationship === 'atomic') return atomic ? node : LEAF;
  const { items } = schema.list;
  return reconcileChildren(node, () => items);
}

function reconcileMap(node: FieldSet, map: MapType, atomic: boolean): FieldSet {
  if (isDeduced(map)) return node;
  if (map.atomic) return atomic || !hasChildren(node) ? node : LEAF;
  return reconcileChildren(node, (element) =>
    element.startsWith('f:') ? fieldType(map, element.slice(2)) : map.values,
  );
}

const isDeduced = ({ values, fields }: MapType): boolean => values?.scalar === 'untyped' && fields.size === 0;

function reconcileChildren(node: FieldSet, typeOf: (element: string) => TypedSchema | undefined): FieldSet {
  let out: OpenSet | undefined;
  for (const element in node) {
    if (element === '.') continue;
    const child = node[element] as FieldSet;
    if (isMember(child) && !hasChildren(child)) continue;
    const type = typeOf(element);
    const next = type === undefined ? child : reconcileNode(child, type, false);
    if (next !== child) (out ??= { ...node })[element] = next;
  }
  return out ?? node;
}
