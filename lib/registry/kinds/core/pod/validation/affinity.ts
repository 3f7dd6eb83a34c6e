import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { items, text, texts } from '#lib/machinery/unstructured.ts';
import { invalid, required, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { validateLabelName, validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import { nameIsDNSLabel } from '#lib/machinery/validation/names.ts';
import { each } from '../../../shared/validate.ts';
import type { PodValidationOptions } from './options.ts';
import { validateLabelKeys } from './label-keys.ts';
import { validateNodeSelector, validatePreferredTerms, validateWeight } from './node-selector.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

export function validateAffinity(
  affinity: JsonObject | undefined,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const node = objectAt(affinity, 'nodeAffinity');
  return [
    ...(node === undefined ? [] : nodeAffinity(node, path.child('nodeAffinity'), options)),
    ...['podAffinity', 'podAntiAffinity'].flatMap((field) =>
      podAffinity(objectAt(affinity, field), path.child(field), options),
    ),
  ];
}

function nodeAffinity(affinity: JsonObject, path: FieldPath, options: PodValidationOptions): FieldError[] {
  const selector = objectAt(affinity, REQUIRED);
  return [
    ...(selector === undefined
      ? []
      : validateNodeSelector(selector, path.child(REQUIRED), options.allowInvalidNodeAffinityValues)),
    ...validatePreferredTerms(items(affinity, PREFERRED), path.child(PREFERRED)),
  ];
}

function podAffinity(affinity: JsonObject | undefined, path: FieldPath, options: PodValidationOptions): FieldError[] {
  return [
    ...each(items(affinity, REQUIRED), path.child(REQUIRED), (term, at) => validateTerm(term, at, options)),
    ...each(items(affinity, PREFERRED), path.child(PREFERRED), (weighted, at) => [
      ...validateWeight(weighted, at),
      ...validateTerm(objectAt(weighted, 'podAffinityTerm') ?? {}, at.child('podAffinityTerm'), options),
    ]),
  ];
}

/** The pod affinity terms of a spec, with and without weight: where their selectors are to be looked at. */
export function podAffinityTerms(spec: JsonObject | undefined): JsonObject[] {
  const affinity = objectAt(spec, 'affinity');
  return ['podAffinity', 'podAntiAffinity'].flatMap((field) => {
    const one = objectAt(affinity, field);
    const weighted = items(one, PREFERRED).map((item) => objectAt(item, 'podAffinityTerm') ?? {});
    return [...items(one, REQUIRED), ...weighted];
  });
}

/** The two selectors of a term. */
export function validateTermSelectors(term: JsonObject, path: FieldPath, allowInvalidValues: boolean): FieldError[] {
  return ['labelSelector', 'namespaceSelector'].flatMap((field) =>
    validateLabelSelector(objectAt(term, field), path.child(field), { allowInvalidValues }),
  );
}

function validateTerm(term: JsonObject, path: FieldPath, options: PodValidationOptions): FieldError[] {
  const key = text(term, 'topologyKey');
  return [
    ...validateTermSelectors(term, path, options.allowInvalidSelectorValues),
    ...texts(term, 'namespaces').flatMap((name) =>
      nameIsDNSLabel(name, false).map((message) => invalid(path.child('namespace'), name, message)),
    ),
    ...validateLabelKeys(term, path),
    ...(key === '' ? [required(path.child('topologyKey'), 'can not be empty')] : []),
    ...validateLabelName(key, path.child('topologyKey')),
  ];
}
