import type { PodAffinityTerm } from '#lib/api/types/core.v1.ts';
import { type FieldError, type FieldPath, forbidden, invalid } from '#lib/machinery/validation/field.ts';
import { validateLabelName } from '#lib/machinery/validation/labels.ts';
import { each } from '../../../shared/validate.ts';

const NO_SELECTOR = 'must not be specified when labelSelector is not set';
const IN_SELECTOR = 'exists in both matchLabelKeys and labelSelector';

/** The label selector of an affinity term or a spread constraint, and the label keys that extend it. */
export type LabelKeys = Pick<PodAffinityTerm, 'labelSelector' | 'matchLabelKeys' | 'mismatchLabelKeys'>;

/**
 * Validates `matchLabelKeys` and `mismatchLabelKeys` of an affinity term or a spread constraint. On create, the requirements of
 * `matchLabelKeys` are already merged into the selector, so only a second occurrence of a key is an error.
 */
export function validateLabelKeys(term: LabelKeys, path: FieldPath): FieldError[] {
  const { matchLabelKeys: match = [] } = term;
  const mismatch = new Set(term.mismatchLabelKeys);
  return [
    ...keyNames(term, 'matchLabelKeys', path),
    ...keyNames(term, 'mismatchLabelKeys', path),
    ...inSelector(term, match, path),
    ...each(match, path.child('matchLabelKeys'), (key, at) =>
      mismatch.has(key) ? [invalid(at, key, 'exists in both matchLabelKeys and mismatchLabelKeys')] : [],
    ),
  ];
}

function keyNames(term: LabelKeys, field: 'matchLabelKeys' | 'mismatchLabelKeys', path: FieldPath): FieldError[] {
  const { [field]: keys = [] } = term;
  if (keys.length === 0) return [];
  const where = path.child(field);
  return term.labelSelector === undefined ? [forbidden(where, NO_SELECTOR)] : each(keys, where, validateLabelName);
}

function inSelector({ labelSelector }: LabelKeys, match: readonly string[], path: FieldPath): FieldError[] {
  const seen = new Set(Object.keys(labelSelector?.matchLabels ?? {}));
  return (labelSelector?.matchExpressions ?? []).flatMap(({ key }) => {
    const again = seen.has(key) && match.includes(key);
    seen.add(key);
    return again ? [invalid(path.index(match.lastIndexOf(key)), key, IN_SELECTOR)] : [];
  });
}

/** The older rule, from before requirements were merged: no key may be in the selector. `path` is the path of the keys. */
export function validateLegacyLabelKeys(
  { labelSelector, matchLabelKeys = [] }: LabelKeys,
  path: FieldPath,
): FieldError[] {
  if (matchLabelKeys.length === 0) return [];
  const inUse = new Set([
    ...Object.keys(labelSelector?.matchLabels ?? {}),
    ...(labelSelector?.matchExpressions ?? []).map(({ key }) => key),
  ]);
  return [
    ...(labelSelector === undefined ? [forbidden(path, NO_SELECTOR)] : []),
    ...each(matchLabelKeys, path, (key, at) => [
      ...validateLabelName(key, at),
      ...(inUse.has(key) ? [invalid(at, key, IN_SELECTOR)] : []),
    ]),
  ];
}
