import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';

/**
 * An object as the type of its resource says it is. For objects that the store or the API server gave: the decoder has made them so, and
 * `lib/api/types` says no more than it does. For no other object.
 */
export const typedObject = <T extends JsonObject>(_resource: ResourceOf<T>, object: JsonObject): T => object as T;
