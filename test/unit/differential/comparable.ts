import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';

/** Fields whose values each server generates. */
const OWN: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'clusterIP',
  'clusterIPs',
  'nodePort',
  'healthCheckNodePort',
  'continue',
]);
/** Each server describes columns in its own words. */
const IN_WORDS = 'columnDefinitions';
/** A cell that shows an allocated address or an age. */
const DRAWN_CELL = /^(?:\d+\.\d+\.\d+\.\d+|\d+s)$/;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** The resourceVersion in a quoted document, which may be escaped once or twice. */
const VERSION = /(\\*"resourceVersion\\*":\\*")\d+/g;
const IN_RECORD = /(in record \()\d+/g;
/** A document that a patch's error message quotes. Its fields are in any order. */
const QUOTED = /(Invalid value: )("(?:[^"\\]|\\.)*")/g;
/** Numbers that the type checker for rules generates for unnamed types. */
const SELF_TYPE = /\bselfType\d+/g;
/** The volume for a service account's token, whose name ends in five random characters. */
const TOKEN_VOLUME = /\bkube-api-access-[a-z0-9]{5}\b/g;

/**
 * The response with every value masked that differs between any two servers. The order within objects does not matter, but the order within
 * lists does.
 */
export function comparable(value: Json): Json {
  if (typeof value === 'string') return masked(value);
  if (Array.isArray(value)) return value.map(comparable);
  if (!isObject(value)) return value;
  const fields = Object.entries(withCauses(value)).map(([name, part]): [string, Json] => [name, valueOf(name, part)]);
  return sorted(Object.fromEntries(fields));
}

const masked = (text: string): string =>
  text
    .replaceAll(QUOTED, (_, head: string, quoted: string) => head + inOrder(quoted))
    .replaceAll(TIME, '<time>')
    .replaceAll(UID, '<uid>')
    .replaceAll(VERSION, '$1<version>')
    .replaceAll(IN_RECORD, '$1<version>')
    .replaceAll(SELF_TYPE, 'selfType')
    .replaceAll(TOKEN_VOLUME, 'kube-api-access-*');

function inOrder(quoted: string): string {
  try {
    return JSON.stringify(JSON.stringify(comparable(JSON.parse(JSON.parse(quoted) as string) as Json)));
  } catch (error) {
    if (error instanceof SyntaxError) return quoted; // it is plain text or a truncated document
    throw error;
  }
}

/** The causes of an error may be in any order if they belong to fields of a map. The message lists them again. */
function withCauses(value: JsonObject): JsonObject {
  const { kind, message, details } = value;
  if (kind !== 'Status' || typeof message !== 'string' || !isObject(details) || !Array.isArray(details['causes']))
    return value;
  const causes = details['causes'].map((cause) => JSON.stringify(comparable(cause))).sort();
  const head = causes.length === 1 ? message : message.replace(/ is invalid: \[.*$/s, ' is invalid: […]');
  return { ...value, message: head, details: { ...details, causes } };
}

function valueOf(name: string, value: Json): Json {
  if (OWN.has(name)) return own(value);
  // Upstream orders them by time first, which depends on whether two changes fall into the same second.
  if (name === 'managedFields' && Array.isArray(value)) return value.map(comparable).sort(byText);
  if (name === 'cells' && Array.isArray(value))
    return value.map((cell) => (DRAWN_CELL.test(String(cell)) ? '<drawn>' : comparable(cell)));
  if (name !== IN_WORDS || !Array.isArray(value)) return comparable(value);
  return value.map((column) => (isObject(column) ? { ...column, description: '' } : column));
}

const byText = (a: Json, b: Json): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

/** Masks a value. Its type is significant, and so is an empty value. */
const own = (value: Json): Json => (value === null || value === '' || value === 'None' ? value : `<${typeof value}>`);

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
