import { applyDefaults } from '#lib/api/schema/defaulting.ts';
import type { Structural } from '#lib/api/schema/structural.ts';
import { unclassified } from '#lib/machinery/errors.ts';
import { clone, type JsonObject, stringAt } from '#lib/machinery/json-value.ts';
import { apiVersion, type GroupVersionKind, parseApiVersion } from '#lib/machinery/schema.ts';
import { readCustomResource } from '../custom-resource/read.ts';

/** The versions of a definition, as needed to read and write objects. */
export interface Versions {
  /** The kind in the served version. */
  readonly kind: GroupVersionKind;
  /** The schemas by version. The value is absent if a version has no structural schema. */
  readonly schemas: ReadonlyMap<string, () => Structural | undefined>;
  readonly storageVersion: string;
  readonly preserveUnknownFields: boolean;
}

/** Returns the apiVersion under which objects are stored. */
export const storedApiVersion = ({ kind, storageVersion }: Versions): string =>
  apiVersion({ ...kind, version: storageVersion });

/**
 * Reads a stored object with the schema of its stored version. Returns a copy, pruned and with defaults. Throws a 500 if the definition no
 * longer has that version. If the defaults are too large, omits them all, so that the object does not fail the list that contains it.
 */
export function readStored(stored: JsonObject, versions: Versions): JsonObject {
  const { kind, schemas, preserveUnknownFields } = versions;
  const given = stringAt(stored, 'apiVersion') ?? '';
  const gv = parseApiVersion(given);
  if (gv === undefined || gv.group !== kind.group || !schemas.has(gv.version)) {
    throw unclassified(`request to convert CR from an invalid group/version: ${given}`);
  }
  const schema = schemas.get(gv.version)?.();
  const object = clone(stored);
  readCustomResource(object, { schema, preserveUnknownFields, stored: true });
  applyDefaults(object, schema);
  return object;
}

/** Prunes a converted object with the schema of its version, in place. Like upstream, adds no defaults. */
export function readConverted(object: JsonObject, version: string, versions: Versions): JsonObject {
  const { schemas, preserveUnknownFields } = versions;
  readCustomResource(object, { schema: schemas.get(version)?.(), preserveUnknownFields, stored: true });
  return object;
}
