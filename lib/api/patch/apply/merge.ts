import { isObject, type Json, type JsonObject, ownField } from '#lib/machinery/json-value.ts';
import { change, type Draft } from './draft.ts';
import { formOf, isHollow } from './form.ts';
import { itemElement, type PathElement } from './path-element.ts';
import { fieldType, type ListType, type MapType, type TypedSchema } from './schema.ts';

type Side = Json | undefined;

/**
 * Merges a configuration into a live value. Leaves come from the configuration, and nothing is removed. Both values must match the type
 * (`validate`). The result shares parts with both values, and unchanged parts are the live value's own objects. Parts that the draft owns
 * are changed in place, and the draft can undo those changes.
 */
export function merge(live: Json, config: Json, schema: TypedSchema, draft?: Draft): Json {
  return mergeNode(live, config, schema, draft) ?? null;
}

function mergeNode(live: Side, config: Side, schema: TypedSchema, draft: Draft | undefined): Side {
  if (config === undefined) return live;
  if (live === undefined) return config;
  const form = formOf(schema, config);
  switch (form) {
    case 'map':
      return mergeMaps(live, config, schema.map as MapType, draft);
    case 'list':
      return mergeLists(live, config, schema.list as ListType, draft);
    case 'scalar':
    case 'none':
      return config;
    default:
      return form satisfies never;
  }
}

function mergeMaps(live: Json, config: Json, type: MapType, draft: Draft | undefined): Side {
  const [a, b] = [isObject(live) ? live : {}, isObject(config) ? config : {}];
  if (type.atomic || (isHollow(b) && isHollow(a))) return config;
  let merged: JsonObject | undefined;
  let isLess = false;
  for (const field of Object.keys(b)) {
    const left = ownField(a, field);
    const value = mergeNode(left, b[field], fieldType(type, field) ?? {}, draft);
    if (value === left) continue;
    merged ??= draft?.writable(a) ?? { ...a };
    change(merged, field, value, draft);
    isLess ||= value === undefined;
  }
  if (merged === undefined) return a === live ? live : undefined;
  return isLess && isHollow(merged) ? undefined : merged;
}

function mergeLists(live: Json, config: Json, type: ListType, draft: Draft | undefined): Side {
  const [a, b] = [Array.isArray(live) ? live : [], Array.isArray(config) ? config : []];
  if (type.relationship === 'atomic' || (a.length === 0 && b.length === 0)) return config;
  const merged = mergeItems(a, b, type, draft);
  if (merged.length === 0) return undefined;
  return merged.length === a.length && merged.every((item, i) => item === a[i]) ? a : merged;
}

/** Indexes the items of one list by their steps. A duplicate step maps to null, so that no item is merged into it. */
function index(type: ListType, list: readonly Json[]): { elements: PathElement[]; items: Map<PathElement, Json> } {
  const elements: PathElement[] = [];
  const items = new Map<PathElement, Json>();
  for (const item of list) {
    const step = itemElement(type, item);
    if ('reason' in step) continue;
    elements.push(step.element);
    items.set(step.element, items.has(step.element) ? null : item);
  }
  return { elements, items };
}

/**
 * Merges items in upstream's order. The configuration's items keep its order. A live item that the configuration lacks stays before the
 * shared item that followed it.
 */
function mergeItems(live: readonly Json[], config: readonly Json[], type: ListType, draft: Draft | undefined): Json[] {
  const [left, right] = [index(type, live), index(type, config)];
  const shared = right.elements.filter((element) => left.items.has(element));
  const taken = new Set<PathElement>();
  const merged: Json[] = [];
  let next = 0;
  const take = (element: PathElement): void => {
    taken.add(element);
    const item = mergeNode(left.items.get(element), right.items.get(element), type.items, draft);
    if (item !== undefined) merged.push(item);
    if (shared[next] === element) next++;
  };
  for (let l = 0, r = 0; l < left.elements.length || r < right.elements.length; ) {
    const [mine, theirs] = [left.elements[l], right.elements[r]];
    if (mine !== undefined && mine === theirs) {
      take(mine);
      l++;
      r++;
    } else if (mine !== undefined && theirs !== undefined && right.items.has(mine) && waits(shared[next], mine)) l++;
    else if (mine !== undefined && !right.items.has(mine)) merged.push(live[l++] as Json);
    else {
      if (mine !== undefined && taken.has(mine)) l++;
      if (theirs !== undefined) {
        take(theirs);
        r++;
      }
    }
  }
  return merged;
}

/** Whether a shared item is not the next one. Its position in the configuration then determines its place. */
const waits = (next: PathElement | undefined, element: PathElement): boolean => next !== undefined && next !== element;
