import { clone, isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { unclassified } from '#lib/machinery/errors.ts';
import { apiVersion, parseApiVersion, type GroupVersionKind } from '#lib/machinery/schema.ts';
import { DEDUCED, type TypedSchema } from '#lib/patch/apply/schema.ts';
import type { Versioned } from '#lib/patch/apply/versions.ts';
import type { Decoded, ObjectScheme } from '#lib/registry/resource.ts';
import { applyDefaults } from '#lib/schema/defaulting.ts';
import type { Structural } from '#lib/schema/structural.ts';
import { convertNone } from './conversion.ts';
import { readCustomResource } from './read.ts';

export interface SchemeSource {
  readonly kind: GroupVersionKind;
  /** By version; absent where a version has none that is structural. */
  readonly schemas: ReadonlyMap<string, () => Structural | undefined>;
  /** By version: the schema as structured merge sees it. */
  readonly typed: ReadonlyMap<string, () => TypedSchema>;
  readonly storageVersion: string;
  readonly preserveUnknownFields: boolean;
  /** Changes with the definition. */
  readonly revision: string;
}

/**
 * How one version of a custom resource is read and written. The hub is the request's version. What comes from storage is
 * pruned and defaulted by the stored version's schema, then pruned by this one's, as upstream does on every read; what
 * goes there is pruned by the stored version's.
 */
export function customResourceScheme(source: SchemeSource): ObjectScheme {
  const { kind, schemas, typed, storageVersion, preserveUnknownFields } = source;
  const schemaOf = (version: string): Structural | undefined => schemas.get(version)?.();
  const stored = { ...kind, version: storageVersion };
  const read = (object: JsonObject, by: Structural | undefined): JsonObject => {
    readCustomResource(object, { schema: by, preserveUnknownFields, stored: true });
    return object;
  };
  const store = (hub: JsonObject): JsonObject =>
    kind.version === storageVersion ? hub : read(clone(convertNone(hub, apiVersion(stored))), schemaOf(storageVersion));
  return {
    kind,
    decode(value) {
      const object = isObject(value) ? clone(value) : {};
      const unknown: string[] = [];
      readCustomResource(object, { schema: schemaOf(kind.version), preserveUnknownFields, unknown });
      return { object, unknown } satisfies Decoded;
    },
    merged(value) {
      readCustomResource(value, { schema: schemaOf(kind.version), preserveUnknownFields, keepNulls: true });
      applyDefaults(value, schemaOf(kind.version));
      return value;
    },
    default: (object) => applyDefaults(object, schemaOf(kind.version)),
    toHub: (object) => object,
    fromHub: (hub) => hub,
    toStored: store,
    fromStored(object) {
      const first = read(clone(object), schemaOf(storageVersion));
      applyDefaults(first, schemaOf(storageVersion));
      return kind.version === storageVersion
        ? first
        : read({ ...first, apiVersion: apiVersion(kind) }, schemaOf(kind.version));
    },
    storedAsServed: false,
    viewName: `${apiVersion(kind)}@${source.revision}`,
    get typed() {
      return typed.get(kind.version)?.() ?? DEDUCED;
    },
    convert: (from, version) => versioned(from, kind, typed, version),
    typedItems: true,
  };
}

/**
 * The object as another version of the definition sees it, served or not. Throws a 500 for a version that the definition has not, as upstream's converter does.
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
