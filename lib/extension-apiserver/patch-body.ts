import { unknownMediaType } from '#lib/endpoints/negotiate.ts';
import { badRequest } from '#lib/machinery/errors.ts';
import { clone, isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { applyJsonPatch, decodeJsonPatch } from '#lib/patch/json-patch.ts';
import { applyMergePatch } from '#lib/patch/merge-patch.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';

/** How a patch changes a document. Throws 415 for server-side apply and strategic merge patches, 400 for a malformed patch. */
export function patchBodyType(contentType: string | undefined, patch: Json): (document: JsonObject) => Json {
  const type = (contentType ?? '').split(';')[0]?.trim() ?? '';
  if (type === JSON_PATCH) {
    const operations = decodeJsonPatch(patch);
    return (document) => applyJsonPatch(clone(document), operations);
  }
  if (type !== MERGE_PATCH) throw unknownMediaType([JSON_PATCH, MERGE_PATCH]);
  if (!isObject(patch)) throw badRequest('error decoding patch: it is no object');
  return (document) => applyMergePatch(clone(document), patch);
}
