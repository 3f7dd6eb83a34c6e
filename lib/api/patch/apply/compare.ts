import { wasEmpty } from '#lib/machinery/empties.ts';
import { equal, isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { type FieldSet, insert, isEmpty, LEAF, type OpenSet, recursiveDifference } from './field-set.ts';
import { type Form, formOf, INVALID_ATOM, isHollow, type Problem } from './form.ts';
import { fieldElement, itemElement, type PathElement, showPath } from './path-element.ts';
import { fieldType, type ListType, type MapType, type TypedSchema } from './schema.ts';
import { scalarProblem } from './validate.ts';

/** The differences between two values of one type. No path is in two of the sets. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** A parallel traversal of two values. Adds to the sets only where the values differ. */
interface Walk {
  readonly path: PathElement[];
  readonly removed: OpenSet;
  readonly modified: OpenSet;
  readonly added: OpenSet;
  readonly problems: Problem[];
}

type Side = Json | undefined;

/** Compares two values. If one does not match its type, `problems` contains the reasons and the comparison is not meaningful. */
export function compare(left: Json, right: Json, schema: TypedSchema): Comparison & { problems: readonly Problem[] } {
  const walk: Walk = { path: [], removed: {}, modified: {}, added: {}, problems: [] };
  compareNode(walk, left, right, schema);
  return walk;
}

/** Returns the comparison without the paths of `ignored` and everything below them. */
export function exclude(comparison: Comparison, ignored: FieldSet | undefined): Comparison {
  if (ignored === undefined || isEmpty(ignored)) return comparison;
  return {
    removed: recursiveDifference(comparison.removed, ignored),
    modified: recursiveDifference(comparison.modified, ignored),
    added: recursiveDifference(comparison.added, ignored),
  };
}

function compareNode(walk: Walk, left: Side, right: Side, schema: TypedSchema): void {
  if (left === undefined) return insert(walk.added, walk.path, wholeNode(walk, right as Json, schema));
  if (right === undefined) return insert(walk.removed, walk.path, wholeNode(walk, left, schema));
  if (left === right && typeof left !== 'object') return undefined;
  const [leftForm, rightForm] = [formOf(schema, left), formOf(schema, right)];
  if (leftForm !== rightForm) compareAs(walk, leftForm, left, right, schema);
  return compareAs(walk, rightForm, left, right, schema);
}

function compareAs(walk: Walk, form: Form, left: Json, right: Json, schema: TypedSchema): void {
  switch (form) {
    case 'map':
      return compareMaps(walk, left, right, schema.map as MapType);
    case 'list':
      return compareLists(walk, left, right, schema.list as ListType);
    case 'scalar':
      return compareScalars(walk, left, right, schema);
    case 'none':
      return report(walk, INVALID_ATOM);
    default:
      return form satisfies never;
  }
}

function report(walk: Walk, message: string): void {
  walk.problems.push({ path: showPath(walk.path), message });
}

function compareLeaves(walk: Walk, left: Json, right: Json): void {
  if (!equal(left, right)) insert(walk.modified, walk.path, LEAF);
}

function compareScalars(walk: Walk, left: Json, right: Json, { scalar }: TypedSchema): void {
  const [leftProblem, rightProblem] = [scalarProblem(scalar, left), scalarProblem(scalar, right)];
  if (leftProblem === undefined || rightProblem === undefined) return compareLeaves(walk, left, right);
  report(walk, `lhs: ${leftProblem}`);
  return report(walk, `rhs: ${rightProblem}`);
}

function compareMaps(walk: Walk, left: Json, right: Json, type: MapType): void {
  const [a, b] = [isObject(left) ? left : undefined, isObject(right) ? right : undefined];
  if (type.atomic || (isHollow(a) && isHollow(b))) return compareLeaves(walk, left, right);
  for (const field of Object.keys(a ?? {})) compareField(walk, type, field, a, b);
  for (const field of Object.keys(b ?? {})) {
    if (a === undefined || !Object.hasOwn(a, field)) compareField(walk, type, field, a, b);
  }
  return undefined;
}

function compareField(walk: Walk, type: MapType, field: string, a?: JsonObject, b?: JsonObject): void {
  const left = sideAt(a, field);
  const right = sideAt(b, field);
  if (left === right && typeof left !== 'object') return;
  walk.path.push(fieldElement(field));
  compareNode(walk, left, right, fieldType(type, field) ?? {});
  walk.path.pop();
}

/** A field kept as null counts as its original value, an empty list, which differs from null. */
function sideAt(object: JsonObject | undefined, field: string): Side {
  if (object === undefined || !Object.hasOwn(object, field)) return undefined;
  const value = object[field];
  return value === null && wasEmpty(object, field) ? [] : value;
}

function compareLists(walk: Walk, left: Json, right: Json, type: ListType): void {
  const [a, b] = [Array.isArray(left) ? left : [], Array.isArray(right) ? right : []];
  if (type.relationship === 'atomic' || (a.length === 0 && b.length === 0)) return compareLeaves(walk, left, right);
  const [before, after] = [byElement(walk, type, a), byElement(walk, type, b)];
  for (const [element, items] of before) compareItems(walk, type, element, items, after.get(element) ?? []);
  for (const [element, items] of after) if (!before.has(element)) compareItems(walk, type, element, [], items);
  return undefined;
}

function byElement(walk: Walk, type: ListType, list: readonly Json[]): Map<PathElement, Json[]> {
  const found = new Map<PathElement, Json[]>();
  list.forEach((item, i) => {
    const step = itemElement(type, item);
    if ('reason' in step) return report(walk, `element ${i}: ${step.reason}`);
    const same = found.get(step.element);
    if (same === undefined) found.set(step.element, [item]);
    else same.push(item);
    return undefined;
  });
  return found;
}

/** Compares the items with one key. Several items with the same key are compared, added and removed as one leaf. */
function compareItems(walk: Walk, type: ListType, element: PathElement, before: Json[], after: Json[]): void {
  walk.path.push(element);
  const [was, is] = [before.length > 1, after.length > 1];
  if (was && is) compareLeaves(walk, before, after);
  else {
    const [left, right] = [was ? undefined : before[0], is ? undefined : after[0]];
    if (left !== undefined || right !== undefined) compareNode(walk, left, right, type.items);
    if (was) insert(walk.removed, walk.path, LEAF);
    if (is) insert(walk.added, walk.path, LEAF);
  }
  walk.path.pop();
}

/** Returns the whole set of a value that the other side lacks: its leaves, and every map and list above them. */
function wholeNode(walk: Walk, value: Json, schema: TypedSchema): FieldSet {
  const form = formOf(schema, value);
  if (form === 'none') report(walk, INVALID_ATOM);
  if (form === 'map') return wholeMap(walk, value, schema.map as MapType);
  return form === 'list' ? wholeList(walk, value, schema.list as ListType) : LEAF;
}

function wholeMap(walk: Walk, value: Json, type: MapType): FieldSet {
  if (type.atomic || !isObject(value)) return LEAF;
  const fields = Object.keys(value);
  if (fields.length === 0) return LEAF;
  const node: OpenSet = { '.': LEAF };
  for (const field of fields) {
    const element = fieldElement(field);
    walk.path.push(element);
    node[element] = wholeNode(walk, value[field] as Json, fieldType(type, field) ?? {});
    walk.path.pop();
  }
  return node;
}

function wholeList(walk: Walk, value: Json, type: ListType): FieldSet {
  if (type.relationship === 'atomic' || !Array.isArray(value) || value.length === 0) return LEAF;
  const node: OpenSet = { '.': LEAF };
  for (const [element, items] of byElement(walk, type, value)) {
    walk.path.push(element);
    node[element] = items.length === 1 ? wholeNode(walk, items[0] as Json, type.items) : LEAF;
    walk.path.pop();
  }
  return node;
}
