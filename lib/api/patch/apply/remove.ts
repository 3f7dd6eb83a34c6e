import { isObject, type Json, type JsonObject, setField } from '#lib/machinery/json-value.ts';
import { type FieldSet, hasChildren, isMember } from './field-set.ts';
import { formOf, isHollow } from './form.ts';
import { fieldElement, itemElement } from './path-element.ts';
import { fieldType, type ListType, type MapType, type TypedSchema } from './schema.ts';

/**
 * Returns a value without the fields and items of a set. Containers that lose their last part remain as empty containers. Atomic containers
 * are not traversed. The result shares parts with the value.
 */
export function removeItems(value: Json, set: FieldSet, schema: TypedSchema): Json {
  switch (formOf(schema, value)) {
    case 'map':
      return removeFromMap(value, set, schema.map as MapType);
    case 'list':
      return removeFromList(value, set, schema.list as ListType);
    default:
      return value;
  }
}

function removeFromMap(value: Json, set: FieldSet, type: MapType): Json {
  if (type.atomic || !isObject(value) || isHollow(value)) return null;
  const kept: JsonObject = {};
  let within = false;
  for (const field of Object.keys(value)) {
    const node = set[fieldElement(field)];
    const item = value[field] as Json;
    if (node !== undefined && isMember(node)) continue;
    if (node !== undefined && hasChildren(node)) {
      within = true;
      setField(kept, field, removeWithin(item, node, fieldType(type, field) ?? {}));
    } else setField(kept, field, item);
  }
  return within || !isHollow(kept) ? kept : null;
}

function removeFromList(value: Json, set: FieldSet, type: ListType): Json {
  if (type.relationship === 'atomic' || !Array.isArray(value) || value.length === 0) return null;
  const kept: Json[] = [];
  let within = false;
  for (const item of value) {
    const step = itemElement(type, item);
    const node = 'reason' in step ? undefined : set[step.element];
    if (node !== undefined && isMember(node)) continue;
    if (node !== undefined && hasChildren(node)) {
      within = true;
      kept.push(removeWithin(item, node, type.items));
    } else kept.push(item);
  }
  return within || kept.length > 0 ? kept : null;
}

/** Removes parts of an item. A map or list that becomes empty stays. */
function removeWithin(item: Json, node: FieldSet, schema: TypedSchema): Json {
  const rest = removeItems(item, node, schema);
  if (rest !== null) return rest;
  if (Array.isArray(item)) return [];
  return isObject(item) ? {} : null;
}
