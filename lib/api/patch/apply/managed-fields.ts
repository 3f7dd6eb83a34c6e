import { defined } from '#lib/machinery/defined.ts';
import { copyEmpties } from '#lib/machinery/empties.ts';
import { quote } from '#lib/machinery/go.ts';
import { isObject, type Json, type JsonObject, objectAt, ownField, stringAt } from '#lib/machinery/json-value.ts';
import { compareText } from './element-order.ts';
import type { FieldSet } from './field-set.ts';
import { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.ts';

/** The writer of an entry of managedFields, without its set. */
export interface ManagerInfo {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
}

/** One manager and the fields that it owns, named in its version. */
export interface Manager extends ManagerInfo {
  readonly set: FieldSet;
  /** RFC 3339, of the last write that changed the set. */
  readonly time?: string;
  /** The entry as it was read, while nothing of it has changed. */
  readonly encoded?: JsonObject;
  /** The set as it was read, while that has not changed. */
  readonly encodedSet?: FieldSet;
}

/** The managers of an object by their identifiers. */
export type Managers = ReadonlyMap<string, Manager>;

/**
 * Names a manager: upstream's JSON of the entry without set and time. One who applies is one manager in all versions, one
 * who updates is one per version; a subresource is always another.
 */
export function identifier({ manager, operation, apiVersion, subresource }: ManagerInfo): string {
  const parts = manager === '' ? [] : [`"manager":${JSON.stringify(manager)}`];
  parts.push(`"operation":"${operation}"`);
  if (operation !== 'Apply' && apiVersion !== '') parts.push(`"apiVersion":${JSON.stringify(apiVersion)}`);
  if (subresource !== '') parts.push(`"subresource":${JSON.stringify(subresource)}`);
  return `{${parts.join(',')}}`;
}

/** Reads metadata.managedFields; the reason where an entry is malformed. */
export function decodeManagedFields(entries: Json | undefined): { managers: Managers } | { reason: string } {
  const managers = new Map<string, Manager>();
  for (const [i, entry] of (Array.isArray(entries) ? entries : []).entries()) {
    const decoded = decodeEntry(isObject(entry) ? entry : {}, i);
    if ('reason' in decoded) return decoded;
    managers.set(identifier(decoded), decoded);
  }
  return { managers };
}

function decodeEntry(entry: JsonObject, i: number): Manager | { reason: string } {
  const operation = stringAt(entry, 'operation');
  const apiVersion = stringAt(entry, 'apiVersion') ?? '';
  const fieldsType = stringAt(entry, 'fieldsType') ?? '';
  if (operation !== 'Apply' && operation !== 'Update') return { reason: 'operation must be `Apply` or `Update`' };
  if (apiVersion === '') return { reason: 'apiVersion must not be empty' };
  if (fieldsType === '') return { reason: `missing fieldsType in managed fields entry ${i}` };
  if (fieldsType !== 'FieldsV1')
    return { reason: `invalid fieldsType ${quote(fieldsType)} in managed fields entry ${i}` };
  const fields = ownField(entry, 'fieldsV1') ?? {};
  const decoded = decodeFieldsV1(fields);
  if ('reason' in decoded) return { reason: `error decoding versioned set: error decoding set: ${decoded.reason}` };
  return {
    manager: stringAt(entry, 'manager') ?? '',
    operation,
    apiVersion,
    subresource: stringAt(entry, 'subresource') ?? '',
    set: decoded.set,
    ...timeOf(entry),
    ...(decoded.set === fields && isPlain(entry) ? { encoded: entry } : {}),
  };
}

const FIELDS: ReadonlySet<string> = new Set([
  'manager',
  'operation',
  'apiVersion',
  'time',
  'fieldsType',
  'fieldsV1',
  'subresource',
]);

/** Whether encoding would give the entry as it is. */
function isPlain(entry: JsonObject): boolean {
  for (const field in entry) if (!FIELDS.has(field) || entry[field] === '' || entry[field] === null) return false;
  return true;
}

function timeOf(entry: JsonObject): { time?: string } {
  const time = stringAt(entry, 'time');
  return time === undefined ? {} : { time };
}

/** The manager with another set, version or time: no longer as it was read. */
export function changed(manager: Manager, change: Partial<Pick<Manager, 'set' | 'apiVersion' | 'time'>>): Manager {
  const { encoded, encodedSet, ...rest } = manager;
  const isSame = change.set === undefined || change.set === manager.set;
  const read = isSame && (encodedSet ?? (encoded && manager.set));
  return { ...rest, ...change, ...(read ? { encodedSet: read } : {}) };
}

/** The entries as they stand in metadata, in upstream's order: appliers first, then by time. */
export function encodeManagedFields(managers: Managers): Json[] {
  return [...managers.values()].sort(compareManagers).map((manager) => manager.encoded ?? encodeEntry(manager));
}

function encodeEntry({ manager, operation, apiVersion, time, set, encodedSet, subresource }: Manager): JsonObject {
  return {
    ...(manager === '' ? {} : { manager }),
    operation,
    apiVersion,
    ...defined({ time }),
    fieldsType: 'FieldsV1',
    fieldsV1: encodedSet ?? encodeFieldsV1(set),
    ...(subresource === '' ? {} : { subresource }),
  };
}

function compareManagers(a: Manager, b: Manager): number {
  return (
    compareText(a.operation, b.operation) ||
    seconds(a) - seconds(b) ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

/** When the manager last changed its set, in seconds since 1970; 0 where that is not known. */
export function seconds({ time }: Manager): number {
  const milliseconds = time === undefined ? 0 : Date.parse(time);
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000);
}

/** How an entry's time is written: whole seconds, UTC. */
export const timestamp = (now: Date): string => `${now.toISOString().slice(0, 19)}Z`;

/** The object without metadata.managedFields; itself where it has none. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata');
  if (metadata === undefined || !Object.hasOwn(metadata, 'managedFields')) return object;
  const { managedFields: _, ...rest } = metadata;
  return sameEmpties(object, { ...object, metadata: rest });
}

/** The object with these managers in its metadata, or with none. */
export function withManagedFields(object: JsonObject, managers: Managers): JsonObject {
  const bare = withoutManagedFields(object);
  if (managers.size === 0) return bare;
  const metadata = { ...objectAt(bare, 'metadata'), managedFields: encodeManagedFields(managers) };
  return sameEmpties(object, { ...bare, metadata });
}

function sameEmpties(from: JsonObject, to: JsonObject): JsonObject {
  copyEmpties(from, to);
  return to;
}
