import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';

/** An object that is always there. */
export interface BootstrapObject {
  readonly resource: GroupVersionResource;
  readonly object: JsonObject;
  /** The fields that are kept right; the others are only set when it is made. */
  readonly kept: readonly string[];
}
