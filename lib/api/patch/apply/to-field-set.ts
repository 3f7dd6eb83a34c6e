import { isObject, type Json } from '#lib/machinery/json-value.ts';
import { EMPTY, type FieldSet, LEAF, type OpenSet, withSelf } from './field-set.ts';
import { formOf, isHollow } from './form.ts';
import { fieldElement, itemElement } from './path-element.ts';
import { fieldType, type ListType, type MapType, type TypedSchema } from './schema.ts';

/**
 * Returns the fields that a configuration owns: every leaf, list item, map entry, empty map and null in it. The value must have the type.
 */
export function toFieldSet(value: Json, schema: TypedSchema): FieldSet {
  return nodeOf(value, schema) ?? EMPTY;
}

/** Returns the node of a value other than the root; undefined if nothing in it is owned. */
function nodeOf(value: Json, schema: TypedSchema): FieldSet | undefined {
  switch (formOf(schema, value)) {
    case 'map':
      return mapNode(value, schema.map as MapType);
    case 'list':
      return listNode(value, schema.list as ListType);
    case 'scalar':
      return LEAF;
    default:
      return undefined;
  }
}

function mapNode(value: Json, type: MapType): FieldSet | undefined {
  if (type.atomic) return LEAF;
  if (!isObject(value)) return undefined;
  let node: OpenSet | undefined;
  for (const field of Object.keys(value)) {
    const child = fieldNode(value[field] as Json, field, type);
    if (child !== undefined) (node ??= {})[fieldElement(field)] = child;
  }
  return node;
}

function fieldNode(value: Json, field: string, type: MapType): FieldSet | undefined {
  const fieldSchema = fieldType(type, field);
  const node = fieldSchema && nodeOf(value, fieldSchema);
  const owned = !type.fields.has(field) || value === null || (isObject(value) && isHollow(value));
  return owned ? withSelf(node ?? LEAF) : node;
}

/** Items with a duplicate key are owned together, as a leaf. */
function listNode(value: Json, type: ListType): FieldSet | undefined {
  if (type.relationship === 'atomic') return LEAF;
  if (!Array.isArray(value)) return undefined;
  let node: OpenSet | undefined;
  for (const item of value) {
    const step = itemElement(type, item);
    if ('reason' in step) continue;
    node ??= {};
    node[step.element] = node[step.element] === undefined ? withSelf(nodeOf(item, type.items) ?? LEAF) : LEAF;
  }
  return node;
}
