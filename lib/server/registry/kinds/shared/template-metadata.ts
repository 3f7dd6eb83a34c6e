import type { ObjectMeta } from '#lib/api/types/meta.v1.ts';
import { wasEmpty } from '#lib/machinery/empties.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import { type FieldError, type FieldPath, forbidden } from '#lib/machinery/validation/field.ts';
import { validateLabels } from '#lib/machinery/validation/labels.ts';
import { validateAnnotations } from '#lib/machinery/validation/object-meta.ts';

const FREE: ReadonlySet<string> = new Set(['labels', 'annotations']);
const LISTS = ['ownerReferences', 'finalizers', 'managedFields'];

/** Validates the metadata of a claim template. It may set only labels and annotations, because every other field differs per claim. */
export function validateTemplateMetadata(metadata: ObjectMeta, path: FieldPath): FieldError[] {
  const set = Object.entries(metadata).flatMap(([field, value]) => (!FREE.has(field) && isSet(value) ? [field] : []));
  const empty = LISTS.filter((field) => wasEmpty(metadata, field));
  return [
    ...validateAnnotations(metadata.annotations, path.child('annotations')),
    ...validateLabels(metadata.labels, path.child('labels')),
    ...[...set, ...empty].map((field) => forbidden(path.child(field), 'cannot be set')),
  ];
}

function isSet(value: Json | undefined): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== '' && value !== 0;
}
