import { clone, isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { apiVersion, type GroupVersionKind } from '#lib/machinery/schema.ts';
import type { TypedSchema } from '#lib/patch/apply/schema.ts';
import type { Decoded, ObjectScheme } from '#lib/registry/resource.ts';
import { applyDefaults } from '#lib/schema/defaulting.ts';
import type { Structural } from '#lib/schema/structural.ts';
import { typedResource } from '#lib/schema/typed.ts';
import { convertNone } from './conversion.ts';
import { readCustomResource } from './read.ts';

export interface SchemeSource {
  readonly kind: GroupVersionKind;
  /** By version; absent where a version has none that is structural. */
  readonly schemas: ReadonlyMap<string, () => Structural | undefined>;
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
  const { kind, schemas, storageVersion, preserveUnknownFields } = source;
  const schemaOf = (version: string): Structural | undefined => schemas.get(version)?.();
  const stored = { ...kind, version: storageVersion };
  let typed: TypedSchema | undefined;
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
      return (typed ??= typedResource(schemaOf(kind.version), preserveUnknownFields));
    },
    typedItems: true,
  };
}
