import { withoutManagedFields } from '#lib/api/patch/apply/managed-fields.ts';
import { requestEntityTooLarge, type StatusError } from '#lib/machinery/errors.ts';
import { bounded } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';

/** Upstream's limit on a request's body, in bytes: 3 MiB. */
export const MAX_BODY = 3 * 1024 * 1024;

/** The 413 of a body above the limit. */
export const bodyTooLarge = (): StatusError => requestEntityTooLarge(`limit is ${MAX_BODY}`);

/**
 * How many fields and items a request's body may hold. Upstream bounds its bytes alone; here one request must not keep the
 * others waiting, and each value costs some microseconds until it is stored. The largest known definition holds 18,000.
 */
export const MAX_VALUES = 50_000;

/**
 * Refuses a written object, its defaults filled in, that holds more than `MAX_VALUES`. Throws 413. Managed fields can double an
 * object; they are the server's own and do not count against the client's limit.
 */
export function boundWritten(object: JsonObject): void {
  bounded(withoutManagedFields(object), MAX_VALUES);
}
