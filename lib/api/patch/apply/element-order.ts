import { isObject, type Json } from '#lib/machinery/json-value.ts';
import { type ParsedElement, type PathElement, parseElement } from './path-element.ts';

/** Sorts steps in upstream's order: fields, keys, values, indices, and within each kind by content. */
export function sortElements(elements: PathElement[]): PathElement[] {
  if (elements.every(isPlainField)) return elements.sort();
  const text = elements[0] === undefined ? undefined : textOf(elements[0]);
  if (text !== undefined && elements.every(text)) return elements.sort(byText);
  const parsed = elements.map((element) => ({ element, step: parseElement(element) }));
  return parsed.sort((a, b) => compareParsed(a.step, b.step)).map(({ element }) => element);
}

/** Fields without surrogates sort by their code units. */
const isPlainField = (element: PathElement): boolean => element.startsWith('f:') && !/[\ud800-\uffff]/.test(element);

/** Matches a step with one key or one value whose text JSON writes unescaped, after a prefix that it shares with its siblings. */
const ONE_TEXT = /^(k:\{"[\w-]+":|v:)"[ !#-[\]-~]*"\}?$/;

/** Returns a check whether a step differs from the first only in its plain text. Undefined if the first has another form. */
function textOf(first: PathElement): ((element: PathElement) => boolean) | undefined {
  const prefix = ONE_TEXT.exec(first)?.[1];
  return prefix === undefined ? undefined : (element) => element.startsWith(prefix) && ONE_TEXT.test(element);
}

/** Compares the texts between the quotes. The closing quote is not part of the text and would sort after a space. */
function byText(a: PathElement, b: PathElement): number {
  const [x, y] = [a.slice(0, a.lastIndexOf('"')), b.slice(0, b.lastIndexOf('"'))];
  return x < y ? -1 : x > y ? 1 : 0;
}

const RANK: Record<ParsedElement['kind'], number> = { field: 0, key: 1, value: 2, index: 3, invalid: 4, unknown: 4 };

function compareParsed(a: ParsedElement, b: ParsedElement): number {
  if (a.kind === 'field' && b.kind === 'field') return compareText(a.name, b.name);
  if (a.kind === 'key' && b.kind === 'key') return compareKeys(a.fields, b.fields);
  if (a.kind === 'value' && b.kind === 'value') return compareValues(a.value, b.value);
  if (a.kind === 'index' && b.kind === 'index') return a.index - b.index;
  return RANK[a.kind] - RANK[b.kind];
}

type Fields = readonly (readonly [string, Json])[];

function compareKeys(a: Fields, b: Fields): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const [[aName, aValue], [bName, bValue]] = [a[i] as Fields[number], b[i] as Fields[number]];
    const order = compareText(aName, bName) || compareValues(aValue, bValue);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Compares by bytes, like Go. Comparing UTF-16 code units differs only for surrogates. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  if (!/[\ud800-\uffff]/.test(a) || !/[\ud800-\uffff]/.test(b)) return a < b ? -1 : 1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Sorts numbers before strings, booleans, lists, maps and null. */
function compareValues(a: Json, b: Json): number {
  const rank = valueRank(a) - valueRank(b);
  if (rank !== 0) return rank;
  if (typeof a === 'string') return compareText(a, b as string);
  if (Array.isArray(a)) return compareLists(a, b as Json[]);
  if (isObject(a)) return compareKeys(entries(a), entries(b as { [field: string]: Json }));
  if (a === b || a === null || b === null) return 0;
  return a < b ? -1 : 1;
}

function valueRank(value: Json): number {
  if (typeof value === 'number' || typeof value === 'bigint') return 0;
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return 2;
  if (Array.isArray(value)) return 3;
  return value === null ? 5 : 4;
}

const entries = (value: { [field: string]: Json }): Fields =>
  Object.entries(value).toSorted(([a], [b]) => compareText(a, b));

function compareLists(a: Json[], b: Json[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = compareValues(a[i] as Json, b[i] as Json);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
