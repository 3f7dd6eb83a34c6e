import { goType } from '#lib/machinery/go-values.ts';
import {
  clone,
  isObject,
  type Json,
  type JsonObject,
  ownField,
  setField,
  stringAt,
} from '#lib/machinery/json-value.ts';
import { metadataOf } from '#lib/machinery/meta.ts';
import { aggregate, FieldPath } from '#lib/machinery/validation/field.ts';
import { validateLabels } from '#lib/machinery/validation/labels.ts';
import { validateAnnotations } from '#lib/machinery/validation/object-meta.ts';

/** Either the converted object with its own metadata restored, or a forbidden change by the webhook. */
export type Restored =
  | { readonly object: JsonObject }
  /** A forbidden change, to the object or to its metadata. */
  | { readonly problem: string; readonly about: 'object' | 'metadata' };

const SAME = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;

/**
 * Returns the converted object with the original's metadata, except labels and annotations, which a conversion may change. Upstream's
 * `validateConvertedObject` and `restoreObjectMeta`, with their error texts.
 */
export function restoreMetadata(original: JsonObject, converted: JsonObject): Restored {
  for (const [field, name] of SAME) {
    const [before, after] = [original, converted].map((object) => stringAt(metadataOf(object), field) ?? '');
    if (before !== after) return { problem: `must have the same ${name}: ${before} != ${after}`, about: 'object' };
  }
  const given = ownField(converted, 'metadata');
  if (given === undefined) return { problem: 'missing metadata in converted object', about: 'metadata' };
  if (!isObject(given))
    return { problem: `invalid metadata of type ${typeOf(given)} in converted object`, about: 'metadata' };
  const metadata: JsonObject = clone(metadataOf(original));
  for (const field of ['labels', 'annotations'] as const) {
    const problem = take(field, given, metadata);
    if (problem !== undefined) return { problem, about: 'metadata' };
  }
  return { object: { ...converted, metadata } };
}

function take(field: 'labels' | 'annotations', from: JsonObject, metadata: JsonObject): string | undefined {
  const value = ownField(from, field) ?? null;
  const before = ownField(metadata, field);
  delete metadata[field];
  if (value === null) return undefined;
  if (!isObject(value)) return `invalid metadata.${field} of type ${typeOf(value)} in converted object`;
  for (const [key, item] of Object.entries(value)) {
    if (typeof item !== 'string') {
      return `metadata.${field}[${key}] must be a string, but is ${typeOf(item)} in converted object`;
    }
  }
  setField(metadata, field, value);
  return isSame(value, before) ? undefined : invalid(field, value);
}

function isSame(value: JsonObject, before: Json | undefined): boolean {
  if (!isObject(before)) return Object.keys(value).length === 0;
  const keys = Object.keys(value);
  return keys.length === Object.keys(before).length && keys.every((key) => ownField(before, key) === value[key]);
}

/** The paths match upstream's. */
function invalid(field: 'labels' | 'annotations', value: JsonObject): string | undefined {
  const errors =
    field === 'labels'
      ? validateLabels(value, FieldPath.of('metadata', 'labels'))
      : validateAnnotations(value, FieldPath.of('metadata', 'annotation'));
  return errors.length === 0 ? undefined : aggregate(errors);
}

const typeOf = (value: Json): string => (value === null ? '<nil>' : goType(value));
