import { applyDefaults } from '#lib/api/schema/defaulting.ts';
import type { Structural } from '#lib/api/schema/structural.ts';
import { unclassified } from '#lib/machinery/errors.ts';
import { clone, type JsonObject, stringAt } from '#lib/machinery/json-value.ts';
import { apiVersion, type GroupVersionKind, parseApiVersion } from '#lib/machinery/schema.ts';
import { readCustomResource } from '../custom-resource/read.ts';

/** The versions of a definition, as reading and writing objects needs them. */
export interface Versions {
  /** Of the version that is served. */
  readonly kind: GroupVersionKind;
  /** By version; the value is absent where a version has none that is structural. */
  readonly schemas: ReadonlyMap<string, () => Structural | undefined>;
  readonly storageVersion: string;
  readonly preserveUnknownFields: boolean;
}

/** The apiVersion under which objects are stored. */
export const storedApiVersion = ({ kind, storageVersion }: Versions): string =>
  apiVersion({ ...kind, version: storageVersion });

/**
 * A stored object as the schema of the version it is in reads it: pruned, defaults filled in; a copy. Throws a 500 where the
 * definition does not have that version any more. An object whose defaults are too large has none filled in, so that it
 * does not fail the list that it is part of.
 */
export function readStored(stored: JsonObject, versions: Versions): JsonObject {
  const { kind, schemas, preserveUnknownFields } = versions;
  const given = stringAt(stored, 'apiVersion') ?? '';
  const gv = parseApiVersion(given);
  if (gv === undefined || gv.group !== kind.group || !schemas.has(gv.version)) {
    throw unclassified(`request to convert CR from an invalid group/version: ${given}`);
  }
  const schema = schemas.get(gv.version)?.();
  const pruned = (): JsonObject => {
    const object = clone(stored);
    readCustomResource(object, { schema, preserveUnknownFields, stored: true });
    return object;
  };
  const object = pruned();
  return applyDefaults(object, schema) ? object : pruned();
}

/** An object that was converted to a version, pruned by its schema, in place. Defaults are not filled in, as upstream does not. */
export function readConverted(object: JsonObject, version: string, versions: Versions): JsonObject {
  const { schemas, preserveUnknownFields } = versions;
  readCustomResource(object, { schema: schemas.get(version)?.(), preserveUnknownFields, stored: true });
  return object;
}
