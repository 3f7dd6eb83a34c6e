import { defined } from '#lib/machinery/defined.ts';
import { copyEmpties } from '#lib/machinery/empties.ts';
import { quote } from '#lib/machinery/go.ts';
import { isObject, type Json, type JsonObject, objectAt, ownField, stringAt } from '#lib/machinery/json-value.ts';
import { compareText } from './element-order.ts';
import type { FieldSet } from './field-set.ts';
import { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.ts';

/** The identity of a managedFields entry, without its set. */
export interface ManagerInfo {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
}

/** A manager and the fields that it owns, in the version of its entry. */
export interface Manager extends ManagerInfo {
  readonly set: FieldSet;
  /** The RFC 3339 time of the last write that changed the set. */
  readonly time?: string;
  /** The decoded entry, if it is unchanged. */
  readonly encoded?: JsonObject;
  /** The decoded set, if it is unchanged. */
  readonly encodedSet?: FieldSet;
}

/** The managers of an object by identifier. */
export type Managers = ReadonlyMap<string, Manager>;

/**
 * Returns a manager's identifier: upstream's JSON of the entry without set and time. An applier is one manager for all versions. An updater
 * is a separate manager for each version. A subresource is always a separate manager.
 */
export function identifier({ manager, operation, apiVersion, subresource }: ManagerInfo): string {
  const parts = manager === '' ? [] : [`"manager":${JSON.stringify(manager)}`];
  parts.push(`"operation":"${operation}"`);
  if (operation !== 'Apply' && apiVersion !== '') parts.push(`"apiVersion":${JSON.stringify(apiVersion)}`);
  if (subresource !== '') parts.push(`"subresource":${JSON.stringify(subresource)}`);
  return `{${parts.join(',')}}`;
}

/** Decodes metadata.managedFields; returns the reason if an entry is malformed. */
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

/** Whether encoding would reproduce the entry. */
function isPlain(entry: JsonObject): boolean {
  for (const field in entry) if (!FIELDS.has(field) || entry[field] === '' || entry[field] === null) return false;
  return true;
}

function timeOf(entry: JsonObject): { time?: string } {
  const time = stringAt(entry, 'time');
  return time === undefined ? {} : { time };
}

/** Returns the manager with another set, version or time, which marks it as changed. */
export function changed(manager: Manager, change: Partial<Pick<Manager, 'set' | 'apiVersion' | 'time'>>): Manager {
  const { encoded, encodedSet, ...rest } = manager;
  const isSame = change.set === undefined || change.set === manager.set;
  const read = isSame && (encodedSet ?? (encoded && manager.set));
  return { ...rest, ...change, ...(read ? { encodedSet: read } : {}) };
}

/** Returns the entries for the metadata in upstream's order: appliers first, then by time. */
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

/** Returns the time of the manager's last change to its set, in seconds since 1970; 0 if unknown. */
export function seconds({ time }: Manager): number {
  const milliseconds = time === undefined ? 0 : Date.parse(time);
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000);
}

/** Returns the object without metadata.managedFields. Returns the object itself if it has none. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata');
  if (metadata === undefined || !Object.hasOwn(metadata, 'managedFields')) return object;
  const { managedFields: _, ...rest } = metadata;
  return sameEmpties(object, { ...object, metadata: rest });
}

/** Returns the object with these managers in its metadata, or with none. */
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
