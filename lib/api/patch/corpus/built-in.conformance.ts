import { defined } from '#lib/machinery/defined.ts';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { typedSchema } from '../apply/kind-schema.ts';
import { patchSchema } from '../strategic/kind-schema.ts';
import { dropEmptyMetadata } from './mix.conformance.ts';
import type { ReplayKind } from './replay.conformance.ts';

/** A built-in kind without its defaults and validation. */
export function builtIn(group: string, name: string): ReplayKind {
  const kind = { group, version: 'v1', kind: name };
  const strategic = patchSchema(kind);
  return {
    apiVersion: apiVersion(kind),
    schema: typedSchema(kind),
    ...defined({ strategic }),
    hasGeneration: false,
    decode,
  };
}

/** Go's structs omit empty fields. */
function decode(object: JsonObject): void {
  dropEmptyMetadata(object);
  for (const field of Object.keys(object)) {
    const value = object[field];
    const isEmpty = value === null || (isObject(value) && Object.keys(value).length === 0);
    if (isEmpty || (Array.isArray(value) && value.length === 0)) delete object[field];
  }
}
