import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { entries, items, text, texts } from '#lib/machinery/unstructured.ts';
import { forbidden, invalid, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { validateLabelName } from '#lib/machinery/validation/labels.ts';
import { each } from '../../../shared/validate.ts';

const NO_SELECTOR = 'must not be specified when labelSelector is not set';
const IN_SELECTOR = 'exists in both matchLabelKeys and labelSelector';

/**
 * `matchLabelKeys` and `mismatchLabelKeys` of an affinity term or a spread constraint. When a pod is created the former's
 * own requirements have been merged into the selector, so a key is an error from its second occurrence on.
 */
export function validateLabelKeys(term: JsonObject, path: FieldPath): FieldError[] {
  const match = texts(term, 'matchLabelKeys');
  const mismatch = new Set(texts(term, 'mismatchLabelKeys'));
  return [
    ...keyNames(term, 'matchLabelKeys', path),
    ...keyNames(term, 'mismatchLabelKeys', path),
    ...inSelector(term, match, path),
    ...each(match, path.child('matchLabelKeys'), (key, at) =>
      mismatch.has(key) ? [invalid(at, key, 'exists in both matchLabelKeys and mismatchLabelKeys')] : [],
    ),
  ];
}

function keyNames(term: JsonObject, field: string, path: FieldPath): FieldError[] {
  const keys = texts(term, field);
  if (keys.length === 0) return [];
  const where = path.child(field);
  return objectAt(term, 'labelSelector') === undefined
    ? [forbidden(where, NO_SELECTOR)]
    : each(keys, where, validateLabelName);
}

function inSelector(term: JsonObject, match: readonly string[], path: FieldPath): FieldError[] {
  const selector = objectAt(term, 'labelSelector');
  const seen = new Set(entries(selector, 'matchLabels').map(([key]) => key));
  return items(selector, 'matchExpressions').flatMap((requirement) => {
    const key = text(requirement, 'key');
    const again = seen.has(key) && match.includes(key);
    seen.add(key);
    return again ? [invalid(path.index(match.lastIndexOf(key)), key, IN_SELECTOR)] : [];
  });
}

/** The rule before requirements were merged: no key is in the selector. `path` is that of the keys. */
export function validateLegacyLabelKeys(term: JsonObject, path: FieldPath): FieldError[] {
  const keys = texts(term, 'matchLabelKeys');
  if (keys.length === 0) return [];
  const selector = objectAt(term, 'labelSelector');
  const inUse = new Set([
    ...entries(selector, 'matchLabels').map(([key]) => key),
    ...items(selector, 'matchExpressions').map((requirement) => text(requirement, 'key')),
  ]);
  return [
    ...(selector === undefined ? [forbidden(path, NO_SELECTOR)] : []),
    ...each(keys, path, (key, at) => [
      ...validateLabelName(key, at),
      ...(inUse.has(key) ? [invalid(at, key, IN_SELECTOR)] : []),
    ]),
  ];
}
