import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';

/**
 * Casts an object to the type of its resource. Only valid for objects from the store or the API server, because the decoder has normalized
 * them. The types in `lib/api/types` guarantee only what the decoder guarantees.
 */
export const typedObject = <T extends JsonObject>(_resource: ResourceOf<T>, object: JsonObject): T => object as T;

/**
 * Casts a part of such an object, and only of such an object, to the type of its field. Undefined if it is absent. For callers whose
 * objects do not have a type yet.
 */
export function typedPart<T extends JsonObject>(part: JsonObject): T;
export function typedPart<T extends JsonObject>(part: JsonObject | undefined): T | undefined;
export function typedPart<T extends JsonObject>(part: JsonObject | undefined): T | undefined {
  return part as T | undefined;
}
