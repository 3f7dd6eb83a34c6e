import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import { decodeTyped } from './codec/decode.ts';
import { findResource } from './kinds.ts';
import { typedObject } from './typed.ts';

/** Decoded objects by the given ones, and by themselves. */
const known = new WeakMap<JsonObject, JsonObject>();

/**
 * An object of a resource with the given fields, and all others as the decoder gives them. The same for the same fields, and for its own
 * result. Throws DecodeError.
 */
export function decodedAs<T extends JsonObject>(resource: ResourceOf<T>, fields: JsonObject): T {
  const facts = findResource(resource);
  if (facts === undefined) throw new TypeError(`no resource ${resource.resource}`);
  const object = known.get(fields) ?? decodeTyped(facts, fields).object;
  known.set(fields, object).set(object, object);
  return typedObject(resource, object);
}
