import { applyJsonPatch, decodeJsonPatch } from '#lib/api/patch/json-patch.ts';
import { applyMergePatch } from '#lib/api/patch/merge-patch.ts';
import { badRequest } from '#lib/machinery/errors.ts';
import { clone, isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { APPLY } from '#lib/server/endpoints/applied-type.ts';
import { unknownMediaType } from '#lib/server/endpoints/negotiate.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const TYPES: readonly string[] = [JSON_PATCH, MERGE_PATCH, APPLY];

/** The media type of a patch, without parameters. */
export const patchTypeOf = (contentType: string | undefined): string => (contentType ?? '').split(';')[0]?.trim() ?? '';

/** The media type of a patch. Throws 415 for a strategic merge patch, as custom resources do, and for unsupported types. */
export function acceptedPatchType(contentType: string | undefined): string {
  const type = patchTypeOf(contentType);
  if (!TYPES.includes(type)) throw unknownMediaType(TYPES);
  return type;
}

/** Returns a function that applies a JSON or merge patch to a document. Throws 400 for a malformed patch. */
export function patching(type: string, patch: Json): (document: JsonObject) => Json {
  if (type === JSON_PATCH) {
    const operations = decodeJsonPatch(patch);
    return (document) => applyJsonPatch(clone(document), operations);
  }
  if (!isObject(patch)) throw badRequest('error decoding patch: it is no object');
  return (document) => applyMergePatch(clone(document), patch);
}
