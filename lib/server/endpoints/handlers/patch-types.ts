import { conversionText } from '#lib/api/patch/go-conversion.ts';
import { applyJsonPatch, decodeJsonPatch, jsonPatchFaults } from '#lib/api/patch/json-patch.ts';
import { applyMergePatch } from '#lib/api/patch/merge-patch.ts';
import { strategicMerge } from '#lib/api/patch/strategic/patch.ts';
import { badRequest, StatusError } from '#lib/machinery/errors.ts';
import { goValue } from '#lib/machinery/go-values.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { clone, isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import type { Steps } from '#lib/machinery/steps.ts';
import type { ObjectScheme, ResourceDefinition } from '#lib/server/registry/resource.ts';
import { APPLY } from '../applied-type.ts';
import { MAX_VALUES } from '../body-bound.ts';
import { unknownMediaType } from '../negotiate.ts';
import { shownDocument, touchedBy } from './shown-document.ts';

const TYPES: readonly string[] = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  APPLY,
];

/** Returns the media type of the patch. Throws 415, with the router's text for built-in kinds and the handler's for custom ones. */
export function patchTypeOf(contentType: string | undefined, { custom, scheme }: ResourceDefinition): string {
  const type = (contentType ?? '').split(';')[0]?.trim() ?? '';
  const accepted = TYPES.filter(
    (known) => scheme.strategic !== undefined || known !== 'application/strategic-merge-patch+json',
  );
  if (accepted.includes(type)) return type;
  if (!custom) throw new StatusError('UnsupportedMediaType', '415: Unsupported Media Type', {});
  throw unknownMediaType(accepted);
}

/** A decoded patch. `apply` may change its argument. */
export interface Patch {
  readonly duplicates: readonly string[];
  /** Returns the text that errors show for a result that does not decode: the document, or a strategic merge patch itself. */
  shown(document: JsonObject): string;
  /** Returns the reason shown in such an error, given the decoder's message. */
  why?(document: JsonObject, message: string): string;
  apply(document: JsonObject): Steps<Json>;
}

/** Decodes a JSON, merge or strategic merge patch. Throws 400 if it is malformed. */
export function decodePatch(patchType: string, bytes: Uint8Array, scheme: ObjectScheme): Patch {
  const custom = scheme.strategic === undefined;
  switch (patchType) {
    case 'application/json-patch+json':
      return jsonPatch(bytes, custom);
    case 'application/merge-patch+json':
      return mergePatch(bytes, custom);
    default:
      return strategicPatch(bytes, scheme);
  }
}

function jsonPatch(bytes: Uint8Array, custom: boolean): Patch {
  const { value, duplicates } = parse(bytes, 'error decoding patch: ', true);
  if (!Array.isArray(value)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${goKind(value)} into Go value of type []handlers.jsonPatchOp`,
    );
  }
  const operations = decodeJsonPatch(value);
  return {
    duplicates: jsonPatchFaults(value, duplicates),
    *apply(document) {
      yield;
      return applyJsonPatch(document, operations);
    },
    shown: (document) => shownDocument(document, touchedBy(operations), custom),
  };
}

function mergePatch(bytes: Uint8Array, custom: boolean): Patch {
  const { value, duplicates } = parse(bytes, 'error decoding patch: ', true);
  if (!isObject(value)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${goKind(value)} into Go value of type map[string]interface {}`,
    );
  }
  return {
    duplicates,
    *apply(document) {
      yield;
      return applyMergePatch(document, value);
    },
    shown: (document) => shownDocument(document, value, custom),
  };
}

function strategicPatch(bytes: Uint8Array, scheme: ObjectScheme): Patch {
  // Upstream merges decoded values and converts whole floats to integers, so `80.0` is a valid port here.
  const { value, duplicates } = parse(bytes, '', false);
  if (!isObject(value))
    throw badRequest(`json: cannot unmarshal ${goKind(value)} into Go value of type map[string]interface {}`);
  const { strategic: schema, kind } = scheme;
  if (schema === undefined) throw new TypeError('the kind has no strategic merge patch');
  let left = value;
  return {
    duplicates,
    *apply(document) {
      const { apiVersion = null, kind: name = null } = document;
      left = clone(value);
      yield;
      return { ...strategicMerge(document, left, schema), apiVersion, kind: name };
    },
    shown: () => goValue(left),
    why: (document, message) => conversionText(kind, document, message),
  };
}

function parse(bytes: Uint8Array, prefix: string, literals: boolean): { value: Json; duplicates: string[] } {
  try {
    return decodeJson(bytes, { maxValues: MAX_VALUES, literals });
  } catch (error) {
    if (error instanceof StatusError || !(error instanceof Error)) throw error;
    throw badRequest(prefix + error.message);
  }
}

function goKind(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'bigint' ? 'number' : typeof value;
}
