import { goFloat, marshal, quote } from '#lib/machinery/go.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { JsonSyntaxError } from '#lib/machinery/json-parser.ts';
import { isObject, type Json, ownField } from '#lib/machinery/json-value.ts';
import { boundedCache } from './bounded-cache.ts';
import type { ListType } from './schema.ts';

/**
 * One step of a path in fieldsV1 syntax: `f:name`, `k:{"key":"value"}`, `v:"value"`, `i:0`. Keys and values have one canonical form, so two
 * steps are equal exactly if their texts are equal.
 */
export type PathElement = string;

/** Returns the path element of a field. */
export const fieldElement = (name: string): PathElement => `f:${name}`;

/** Returns the step to a list item, or upstream's reason why the item cannot have one. */
export function itemElement(list: ListType, item: Json): { element: PathElement } | { reason: string } {
  return list.keys.length > 0 ? keyElement(list, item) : valueElement(item);
}

function keyElement(list: ListType, item: Json): { element: PathElement } | { reason: string } {
  if (item === null) return { reason: 'associative list with keys may not have a null element' };
  if (!isObject(item)) return { reason: 'associative list with keys may not have non-map elements' };
  const parts: string[] = [];
  for (const key of inOrder(list.keys)) {
    const own = ownField(item, key);
    const given = own === undefined ? (list.items.map?.fields.get(key)?.default ?? undefined) : own;
    if (given !== undefined) parts.push(`${JSON.stringify(key)}:${scalarText(given)}`);
  }
  if (parts.length === 0) return { reason: keyless(list.keys) };
  return { element: `k:{${parts.join(',')}}` };
}

function keyless(keys: readonly string[]): string {
  const names = keys.map(quote).join(' ');
  return `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`;
}

function inOrder(keys: readonly string[]): readonly string[] {
  return keys.length < 2 ? keys : keys.toSorted();
}

function valueElement(item: Json): { element: PathElement } | { reason: string } {
  if (Array.isArray(item)) return { reason: 'not supported: associative list with lists as elements' };
  if (isObject(item)) return { reason: "associative list without keys has an element that's a map type" };
  if (item === null) return { reason: "associative list without keys has an element that's an explicit null" };
  return { element: `v:${scalarText(item)}` };
}

function scalarText(value: Json): string {
  if (typeof value === 'string' && !/[<>&\u2028\u2029]/.test(value)) return JSON.stringify(value);
  return marshal(value);
}

/** A parsed step. */
export type ParsedElement =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'key'; readonly fields: readonly (readonly [string, Json])[] }
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'invalid'; readonly reason: string }
  /** A kind of step from a later version, which upstream drops. */
  | { readonly kind: 'unknown' };

interface CachedElement {
  readonly element: ParsedElement;
  readonly text: PathElement | undefined;
}

const known = boundedCache<string, CachedElement>(4096);

/** Long steps are not cached, because clients supply them. */
const knownOf = (text: string): CachedElement => (text.length > 256 ? read(text) : known(text, read));

function read(text: string): CachedElement {
  const element = parse(text);
  return { element, text: elementText(element) };
}

/** Parses an element of managedFields: `f:name`, `k:{…}`, `v:…` or `i:0`. Never throws: any other text is `invalid`. */
export function parseElement(text: string): ParsedElement {
  return text.startsWith('f:') ? { kind: 'field', name: text.slice(2) } : knownOf(text).element;
}

/** Returns the canonical text of a step; undefined if it is not a known step (`parseElement` has the reason). */
export function canonicalElement(text: string): PathElement | undefined {
  return text.startsWith('f:') ? text : knownOf(text).text;
}

function parse(text: string): ParsedElement {
  if (text.length < 2) return { kind: 'invalid', reason: 'key must be 2 characters long:' };
  if (text[1] !== ':') return { kind: 'invalid', reason: `missing colon: ${text}` };
  const body = text.slice(2);
  switch (text[0]) {
    case 'v':
      return decoded(body, (value) => ({ kind: 'value', value }));
    case 'k':
      return decoded(body, keyOf);
    case 'i':
      return /^[+-]?[0-9]{1,15}$/.test(body) ? { kind: 'index', index: Number(body) } : invalidIndex(body);
    default:
      return { kind: 'unknown' };
  }
}

const invalidIndex = (body: string): ParsedElement => ({
  kind: 'invalid',
  reason: `strconv.Atoi: parsing ${quote(body)}: invalid syntax`,
});

function keyOf(value: Json): ParsedElement {
  if (!isObject(value)) return { kind: 'invalid', reason: 'expect { or n' };
  const names = Object.keys(value).sort();
  return { kind: 'key', fields: names.map((name) => [name, value[name] as Json]) };
}

/** Matches a JSON string without escapes. */
const PLAIN_TEXT = /^"[ !#-[\]-~]*"$/;

function decoded(body: string, build: (value: Json) => ParsedElement): ParsedElement {
  if (PLAIN_TEXT.test(body)) return build(body.slice(1, -1));
  try {
    return build(decodeJson(Buffer.from(body)).value);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { kind: 'invalid', reason: error.message };
    throw error;
  }
}

function elementText(element: ParsedElement): PathElement | undefined {
  switch (element.kind) {
    case 'field':
      return fieldElement(element.name);
    case 'key':
      return `k:{${element.fields.map(([name, value]) => `${JSON.stringify(name)}:${scalarText(value)}`).join(',')}}`;
    case 'value':
      return `v:${scalarText(element.value)}`;
    case 'index':
      return `i:${element.index}`;
    case 'invalid':
    case 'unknown':
      return undefined;
    default:
      return element satisfies never;
  }
}

type ShowNumber = (value: number) => string;

/**
 * Formats a step as in conflict messages: `.name`, `[key="value"]`, `[="value"]`, `[0]`. Numbers in managed fields are decoded as floats.
 */
export function showElement(text: PathElement, number: ShowNumber = goFloat): string {
  const element = parseElement(text);
  switch (element.kind) {
    case 'field':
      return `.${element.name}`;
    case 'key':
      return `[${element.fields.map(([name, value]) => `${name}=${showValue(value, number)}`).join(',')}]`;
    case 'value':
      return `[=${showValue(element.value, number)}]`;
    case 'index':
      return `[${element.index}]`;
    case 'invalid':
    case 'unknown':
      return '{{invalid path element}}';
    default:
      return element satisfies never;
  }
}

/** Formats a path as in error messages: `.spec.containers[name="a"]`. */
export const showPath = (path: readonly PathElement[], number?: ShowNumber): string =>
  path.map((element) => showElement(element, number)).join('');

function showValue(value: Json, number: ShowNumber): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map((item) => showValue(item, number)).join(',')}]`;
  if (typeof value === 'number') return number(value);
  if (!isObject(value)) return String(value);
  return Object.keys(value)
    .map((field) => `${field}=${showValue(value[field] as Json, number)}`)
    .join('');
}
