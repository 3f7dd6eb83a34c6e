import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';

/** An object that must always exist. */
export interface BootstrapObject {
  readonly resource: GroupVersionResource;
  readonly object: JsonObject;
  /** The fields that are kept correct. The other fields are only set on creation. */
  readonly kept: readonly string[];
}
