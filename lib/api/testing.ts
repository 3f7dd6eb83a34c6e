import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import { decodeTyped } from './codec/decode.ts';
import { findResource } from './kinds.ts';
import { typedObject } from './typed.ts';

/** Decodes an object of a resource with the given fields. The decoder sets all other fields. Throws DecodeError. */
export function decodedAs<T extends JsonObject>(resource: ResourceOf<T>, fields: JsonObject): T {
  const facts = findResource(resource);
  if (facts === undefined) throw new TypeError(`no resource ${resource.resource}`);
  return typedObject(resource, decodeTyped(facts, fields).object);
}
