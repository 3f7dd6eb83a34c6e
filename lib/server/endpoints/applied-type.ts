import { badRequest } from '#lib/machinery/errors.ts';
import { type JsonObject, stringAt } from '#lib/machinery/json-value.ts';
import { apiVersion, type GroupVersionKind, parseApiVersion } from '#lib/machinery/schema.ts';

/** The media type of a server-side apply. */
export const APPLY = 'application/apply-patch+yaml';

/** Throws 400 if the type of the applied configuration differs from the type in the path. */
export function checkAppliedType(kind: GroupVersionKind, applied: JsonObject): void {
  const version = stringAt(applied, 'apiVersion') ?? '';
  const name = stringAt(applied, 'kind') ?? '';
  if (version === apiVersion(kind) && name === kind.kind) return;
  const { group, version: v } = parseApiVersion(version) ?? { group: '', version };
  throw badRequest(`invalid object type: ${group}/${v}, Kind=${name}`);
}
