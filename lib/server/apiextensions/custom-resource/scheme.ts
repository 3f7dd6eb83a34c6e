import { withoutManagedFields } from '#lib/api/patch/apply/managed-fields.ts';
import { DEDUCED, type TypedSchema } from '#lib/api/patch/apply/schema.ts';
import type { Convert, Versioned } from '#lib/api/patch/apply/versions.ts';
import { MAX_DEFAULTS } from '#lib/api/schema/default-budget.ts';
import { applyDefaults } from '#lib/api/schema/defaulting.ts';
import type { Structural } from '#lib/api/schema/structural.ts';
import { requestEntityTooLarge, type StatusError, unclassified } from '#lib/machinery/errors.ts';
import { countValues, encodeJson, parseStored } from '#lib/machinery/json.ts';
import { clone, equal, isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { apiVersion, type GroupVersionKind, parseApiVersion } from '#lib/machinery/schema.ts';
import type { DecodedObject, ObjectScheme } from '#lib/server/registry/resource.ts';
import type { StoredObject } from '#lib/storage/storage.ts';
import { readBack, wasStoredOtherwise } from '../conversion/converting-storage.ts';
import { managedConvert } from '../conversion/managed.ts';
import { convertNone } from '../conversion/none.ts';
import { readConverted, readStored, storedApiVersion, type Versions } from '../conversion/versions.ts';
import type { Converter } from '../conversion/webhook.ts';
import { readCustomResource } from './read.ts';

/** The versions of a definition and their schemas. */
export interface SchemeSource extends Versions {
  /** By version: the schema for structured merge. */
  readonly typed: ReadonlyMap<string, () => TypedSchema>;
  /** Changes with the definition. */
  readonly revision: string;
  /** Present if a webhook converts the versions. The storage then returns objects as they are served. */
  readonly converter?: Converter;
}

/**
 * Describes how to read and write one version of a custom resource. The hub is the request's version. Like upstream, every read prunes and
 * defaults a stored object with the schema of its stored version, and then prunes it with this version's schema. A write prunes with the
 * storage version's schema.
 */
export function customResourceScheme(source: SchemeSource): ObjectScheme {
  const { kind, schemas, typed, preserveUnknownFields, converter } = source;
  const schemaOf = (version: string): Structural | undefined => schemas.get(version)?.();
  const convert: Convert = (from, version) => versioned(from, kind, typed, version);
  return {
    kind,
    decode(value) {
      const object = isObject(value) ? clone(value) : {};
      const unknown: string[] = [];
      readCustomResource(object, { schema: schemaOf(kind.version), preserveUnknownFields, unknown });
      return { object, unknown } satisfies DecodedObject;
    },
    merged(value) {
      readCustomResource(value, { schema: schemaOf(kind.version), preserveUnknownFields, keepNulls: true });
      return value;
    },
    default: (object, replaced) => fillDefaults(object, schemaOf(kind.version), replaced),
    toHub: (object) => object,
    fromHub: (hub) => hub,
    ...(converter === undefined
      ? unconverted(source)
      : { ...AS_SERVED, readBack: (hub: JsonObject) => readBack(hub, source, converter) }),
    viewName: `${apiVersion(kind)}@${source.revision}`,
    get typed() {
      return typed.get(kind.version)?.() ?? DEDUCED;
    },
    convert: converter === undefined ? convert : managedConvert(converter, convert),
    typedItems: true,
  };
}

/**
 * Fills in defaults. If they are too large, omits them all. In that case throws 413 unless the replaced object lacks them too and is at
 * least as large.
 */
function fillDefaults(object: JsonObject, schema: Structural | undefined, replaced: JsonObject | undefined): void {
  if (applyDefaults(object, schema)) return;
  const lacked = replaced !== undefined && !applyDefaults(clone(replaced), schema);
  if (!lacked || isLarger(object, replaced)) throw tooManyDefaults();
}

/** Whether an object has more fields and items, or more bytes, than another. Managed fields do not count. */
function isLarger(object: JsonObject, other: JsonObject): boolean {
  const [own, replaced] = [withoutManagedFields(object), withoutManagedFields(other)];
  const values = (value: JsonObject): number => countValues(value, Number.MAX_SAFE_INTEGER);
  const bytes = (value: JsonObject): number => Buffer.byteLength(encodeJson(value));
  return values(own) > values(replaced) || bytes(own) > bytes(replaced);
}

const tooManyDefaults = (): StatusError =>
  requestEntityTooLarge(
    `limit is ${MAX_DEFAULTS.values} fields and items, and ${MAX_DEFAULTS.bytes} bytes, by the defaults of the schema`,
  );

type StoredForm = Pick<ObjectScheme, 'toStored' | 'fromStored' | 'isOutdated' | 'storedAsServed'>;

const AS_SERVED: StoredForm = {
  toStored: (hub) => hub,
  fromStored: (stored) => stored,
  isOutdated: wasStoredOtherwise,
  storedAsServed: true,
};

/** Returns the stored form of versions that differ only in their schemas. */
function unconverted(source: SchemeSource): StoredForm {
  const { kind, storageVersion } = source;
  const served = apiVersion(kind);
  const toStored = (hub: JsonObject): JsonObject =>
    kind.version === storageVersion
      ? hub
      : readConverted(clone(convertNone(hub, storedApiVersion(source))), storageVersion, source);
  const fromStored = (stored: JsonObject): JsonObject => {
    const object = readStored(stored, source);
    return object['apiVersion'] === served ? object : readConverted(convertNone(object, served), kind.version, source);
  };
  const isOutdated = ({ body }: StoredObject, hub: JsonObject): boolean => !equal(toStored(hub), parseStored(body));
  return { toStored, fromStored, isOutdated, storedAsServed: false };
}

/**
 * Returns the object in another version of the definition, served or not. Throws a 500 for a version that the definition does not have,
 * like upstream's converter.
 */
function versioned(
  from: Versioned,
  { group }: GroupVersionKind,
  typed: ReadonlyMap<string, () => TypedSchema>,
  to: string,
): Versioned {
  const target = parseApiVersion(to);
  const schema = target?.group === group ? typed.get(target.version) : undefined;
  if (schema === undefined) throw unclassified(`request to convert CR to an invalid group/version: ${to}`);
  return { ...from, object: convertNone(from.object, to), schema: schema(), apiVersion: to };
}
