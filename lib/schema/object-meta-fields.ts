import { isObject, setField, type Json, type JsonObject } from '#lib/machinery/json-value.ts';

/** A reader gives the normalized value, undefined for Go's zero value (which is not written), or throws Mismatch. */
type Reader = (value: Json, at: string, unknown: string[] | undefined) => Json | undefined;

/** Why a value is no ObjectMeta: Go's JSON error. Never leaves this folder. */
class Mismatch extends Error {}

const GO_KINDS = { boolean: 'bool', string: 'string', number: 'number', bigint: 'number', object: 'object' } as const;

function mismatch(value: Json, at: string, type: string): Mismatch {
  const kind = Array.isArray(value) ? 'array' : GO_KINDS[typeof value as keyof typeof GO_KINDS];
  return new Mismatch(`json: cannot unmarshal ${kind} into Go struct field ${at} of type ${type}`);
}

const text: Reader = (value, at) => {
  if (typeof value !== 'string') throw mismatch(value, at, 'string');
  return value === '' ? undefined : value;
};
const flag: Reader = (value, at) => {
  if (typeof value !== 'boolean') throw mismatch(value, at, 'bool');
  return value;
};
const integer: Reader = (value, at) => {
  if (typeof value !== 'bigint' && typeof value !== 'number') throw mismatch(value, at, 'int64');
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new Mismatch(`json: cannot unmarshal number ${value} into Go struct field ${at} of type int64`);
  }
  return value;
};
const nonZero: Reader = (value, at, unknown) => {
  const number = integer(value, at, unknown);
  return number === 0 ? undefined : number;
};
const raw: Reader = (value) => value;

const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}([.,]\d+)?(Z|[+-]\d{2}:\d{2})$/;

const time: Reader = (value, at) => {
  if (typeof value !== 'string') throw mismatch(value, at, 'string');
  const date = new Date(value);
  if (!RFC3339.test(value) || Number.isNaN(date.getTime())) {
    const shown = JSON.stringify(value);
    throw new Mismatch(`parsing time ${shown} as "2006-01-02T15:04:05Z07:00": cannot parse ${shown} as "2006"`);
  }
  return date.toISOString().replace(/\.\d{3}Z$/, 'Z');
};
const microTime: Reader = (value, at, unknown) => (typeof value === 'string' ? value : time(value, at, unknown));

const texts: Reader = (value, at) => {
  if (!Array.isArray(value)) throw mismatch(value, at, '[]string');
  const items = value.map((item) => (item === null ? '' : item));
  for (const item of items) if (typeof item !== 'string') throw mismatch(item, at, 'string');
  return items.length === 0 ? undefined : items;
};
const textMap: Reader = (value, at) => {
  if (!isObject(value)) throw mismatch(value, at, 'map[string]string');
  const map: JsonObject = {};
  for (const name of Object.keys(value)) {
    const item = value[name] as Json;
    if (item !== null && typeof item !== 'string') throw mismatch(item, at, 'string');
    setField(map, name, item ?? '');
  }
  return Object.keys(map).length === 0 ? undefined : map;
};

function structs(type: string, fields: Readonly<Record<string, Reader>>): Reader {
  return (value, at, unknown) => {
    if (!Array.isArray(value)) throw mismatch(value, at, `[]v1.${type}`);
    const items = value.map((item, i) => {
      if (item !== null && !isObject(item)) throw mismatch(item, at, `v1.${type}`);
      const path = `${at.slice(at.indexOf('.') + 1)}[${i}]`;
      return readStruct(item ?? {}, fields, { type, path, unknown });
    });
    return items.length === 0 ? undefined : items;
  };
}

const OWNER_REFERENCE = {
  apiVersion: text,
  kind: text,
  name: text,
  uid: text,
  controller: flag,
  blockOwnerDeletion: flag,
};
const MANAGED_FIELDS = {
  manager: text,
  operation: text,
  apiVersion: text,
  time: microTime,
  fieldsType: text,
  fieldsV1: raw,
  subresource: text,
};
const OBJECT_META: Readonly<Record<string, Reader>> = {
  name: text,
  generateName: text,
  namespace: text,
  selfLink: text,
  uid: text,
  resourceVersion: text,
  generation: nonZero,
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: integer,
  labels: textMap,
  annotations: textMap,
  ownerReferences: structs('OwnerReference', OWNER_REFERENCE),
  finalizers: texts,
  managedFields: structs('ManagedFieldsEntry', MANAGED_FIELDS),
};

interface StructContext {
  readonly type: string;
  readonly path: string;
  readonly unknown: string[] | undefined;
}

function readStruct(value: JsonObject, fields: Readonly<Record<string, Reader>>, context: StructContext): JsonObject {
  const out: JsonObject = {};
  const { type, path, unknown } = context;
  for (const name of Object.keys(value)) {
    const item = value[name] as Json;
    const reader = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (reader === undefined) unknown?.push(path === '' ? name : `${path}.${name}`);
    const result = item === null ? undefined : reader?.(item, `${type}.${name}`, unknown);
    if (result !== undefined) out[name] = result;
  }
  return out;
}

export interface ObjectMetaOptions {
  /** Leaves out fields of a wrong type instead of failing: for what is read from storage. */
  readonly dropMalformed?: boolean;
  /** Receives the paths of unknown fields, below the metadata. */
  readonly unknown?: string[] | undefined;
}

/**
 * Upstream's `GetObjectMeta`: what Go keeps of a `metadata` value decoded into ObjectMeta. A string is Go's error. Null is
 * an empty ObjectMeta.
 */
export function readObjectMeta(metadata: Json, options: ObjectMetaOptions = {}): JsonObject | string {
  if (metadata !== null && !isObject(metadata)) {
    const kind = Array.isArray(metadata) ? 'array' : GO_KINDS[typeof metadata as keyof typeof GO_KINDS];
    return `json: cannot unmarshal ${kind} into Go value of type v1.ObjectMeta`;
  }
  try {
    return readStruct(metadata ?? {}, OBJECT_META, { type: 'ObjectMeta', path: '', unknown: options.unknown });
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    return options.dropMalformed === true ? readEach(metadata ?? {}) : error.message;
  }
}

function readEach(metadata: JsonObject): JsonObject {
  const out: JsonObject = {};
  for (const name of Object.keys(metadata)) {
    const one: JsonObject = {};
    setField(one, name, metadata[name] as Json);
    const read = readObjectMeta(one);
    if (typeof read === 'object') Object.assign(out, read);
  }
  return out;
}
