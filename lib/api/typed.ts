import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';

/**
 * An object as the type of its resource says it is. For objects that the store or the API server gave: the decoder has made them so, and
 * `lib/api/types` says no more than it does. For no other object.
 */
export const typedObject = <T extends JsonObject>(_resource: ResourceOf<T>, object: JsonObject): T => object as T;

/**
 * A part of such an object, as the type that its place has; undefined where it is absent. For callers whose own objects have no type yet,
 * and for no other object.
 */
export function typedPart<T extends JsonObject>(part: JsonObject): T;
export function typedPart<T extends JsonObject>(part: JsonObject | undefined): T | undefined;
export function typedPart<T extends JsonObject>(part: JsonObject | undefined): T | undefined {
  return part as T | undefined;
}
