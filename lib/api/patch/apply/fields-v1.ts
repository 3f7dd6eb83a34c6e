import { isObject, type Json } from '#lib/machinery/json-value.ts';
import { type FieldSet, isEmpty, LEAF, type OpenSet, sortedElements } from './field-set.ts';
import { canonicalElement, parseElement } from './path-element.ts';

/**
 * Decodes fieldsV1. Checks every step and converts it to canonical form. Drops steps of unknown kinds. Shares canonical parts with the
 * input. Returns the reason if fieldsV1 is malformed.
 */
export function decodeFieldsV1(fields: Json): { readonly set: FieldSet } | { readonly reason: string } {
  if (!isObject(fields)) return fields === null ? { set: LEAF } : { reason: NOT_AN_OBJECT };
  const set = decodeNode(fields as FieldSet);
  if (typeof set === 'string') return { reason: set };
  if (set['.'] === undefined) return { set };
  const { '.': _, ...children } = set;
  return { set: children };
}

const NOT_AN_OBJECT = 'ReadMapCB: expect { or n';

function decodeNode(node: FieldSet): FieldSet | string {
  let out: OpenSet | undefined;
  for (const text in node) {
    if (text === '.') continue;
    const value: Json | undefined = node[text];
    if (!isObject(value)) return NOT_AN_OBJECT;
    const child = isEmpty(value as FieldSet) ? (value as FieldSet) : decodeNode(value as FieldSet);
    if (typeof child === 'string') return child;
    const element = canonicalElement(text);
    if (element === text && child === value) continue;
    const step = parseElement(text);
    if (step.kind === 'invalid') return `parsing key as path element: ${step.reason}`;
    out ??= { ...node };
    delete out[text];
    if (element !== undefined) out[element] = child;
  }
  return out ?? node;
}

/** Encodes the set as fieldsV1 with its steps in upstream's order. Shares nothing with the set. */
export function encodeFieldsV1(set: FieldSet): FieldSet {
  const out: OpenSet = {};
  const elements = sortedElements(set);
  if (set['.'] !== undefined && elements.length > 0) out['.'] = {};
  for (const element of elements) out[element] = encodeFieldsV1(set[element] as FieldSet);
  return out;
}
