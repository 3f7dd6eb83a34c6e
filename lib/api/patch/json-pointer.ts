import { quote } from '#lib/machinery/go.ts';
import { MAX_INT64 } from '#lib/machinery/integer-limits.ts';
import { isObject, type Json, type JsonObject, ownField, setField } from '#lib/machinery/json-value.ts';

/** The target of an operation: a container and a key in it. */
export interface ContainerKey {
  readonly container: JsonObject | Json[];
  readonly key: string;
}

/** An error inside a container. The operation wraps its message. */
export interface Fault {
  readonly fault: string;
}

/** A looked-up value: `value` is undefined if an object lacks the field. */
export type Lookup = { readonly value: Json | undefined; readonly fault?: undefined } | Fault;

/** Go's error for a path that does not exist. */
export const MISSING = 'missing value';

const fault = (message: string): Fault => ({ fault: message });

/**
 * Finds the container of the last token. Upstream ignores everything before the first slash. A path without a slash, including the empty
 * path, has no container.
 */
export function findPlace(document: Json, path: string): ContainerKey | undefined {
  const tokens = path.split('/');
  if (tokens.length < 2) return undefined;
  const key = unescapeToken(tokens.at(-1) as string);
  let here: Json = document;
  for (const token of tokens.slice(1, -1)) {
    if (!isContainer(here)) return undefined;
    const next = getAt({ container: here, key: unescapeToken(token) });
    if (next.fault !== undefined || next.value === undefined) return undefined;
    here = next.value;
  }
  return isContainer(here) ? { container: here, key } : undefined;
}

function isContainer(value: Json): value is JsonObject | Json[] {
  return Array.isArray(value) || isObject(value);
}

/** Unescapes `~1` to a slash and `~0` to a tilde in one pass. */
function unescapeToken(token: string): string {
  return token.replace(/~[01]/g, (escape) => (escape === '~1' ? '/' : '~'));
}

/** Returns a fault if an array has no such element. */
export function getAt({ container, key }: ContainerKey): Lookup {
  if (!Array.isArray(container)) return { value: ownField(container, key) };
  const index = elementIndex(key, container.length, container.length - 1);
  return typeof index === 'number' ? { value: container[index] } : index;
}

/** Adds or replaces a field, or inserts an element; `-` appends. */
export function addAt({ container, key }: ContainerKey, value: Json): Fault | undefined {
  if (!Array.isArray(container)) {
    setField(container, key, value);
    return undefined;
  }
  if (key === '-') {
    container.push(value);
    return undefined;
  }
  const at = atoi(key);
  if (typeof at !== 'number') return fault(`value was not a proper array index: '${key}': ${at.fault}`);
  const index = elementIndex(key, container.length + 1, container.length);
  if (typeof index !== 'number') return index;
  container.splice(index, 0, value);
  return undefined;
}

/** Overwrites a field or an element that `getAt` has found. */
export function setAt({ container, key }: ContainerKey, value: Json): Fault | undefined {
  if (!Array.isArray(container)) {
    setField(container, key, value);
    return undefined;
  }
  const index = elementIndex(key, container.length, container.length - 1);
  if (typeof index !== 'number') return index;
  container[index] = value;
  return undefined;
}

/** Removes the value that a pointer refers to. Returns a fault if it does not exist. */
export function removeAt({ container, key }: ContainerKey): Fault | undefined {
  if (!Array.isArray(container)) {
    if (!Object.hasOwn(container, key)) return fault(`Unable to remove nonexistent key: ${key}: ${MISSING}`);
    delete container[key];
    return undefined;
  }
  const index = elementIndex(key, container.length, container.length - 1);
  if (typeof index !== 'number') return index;
  container.splice(index, 1);
  return undefined;
}

/** Parses an index. Like upstream, negative indices count from the end. */
function elementIndex(key: string, size: number, last: number): number | Fault {
  const index = atoi(key);
  if (typeof index !== 'number') return index;
  if (index > last || index < -size) {
    return fault(`Unable to access invalid index: ${index}: invalid index referenced`);
  }
  return index < 0 ? index + size : index;
}

/** strconv.Atoi, with its error texts. */
function atoi(text: string): number | Fault {
  if (!/^[+-]?[0-9]+$/.test(text)) return fault(`strconv.Atoi: parsing ${quote(text)}: invalid syntax`);
  const value = Number(text);
  if (Math.abs(value) > MAX_INT64) return fault(`strconv.Atoi: parsing ${quote(text)}: value out of range`);
  return value === 0 ? 0 : value;
}
