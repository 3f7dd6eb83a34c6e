import type {
  Affinity,
  NodeAffinity,
  PodAffinity,
  PodAffinityTerm,
  PodAntiAffinity,
  PodSpec,
} from '#lib/api/types/core.v1.ts';
import { type FieldError, type FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { validateLabelName, validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import { nameIsDNSLabel } from '#lib/machinery/validation/names.ts';
import { each } from '../../../shared/validate.ts';
import { validateLabelKeys } from './label-keys.ts';
import { validateNodeSelector, validatePreferredTerms, validateWeight } from './node-selector.ts';
import type { PodValidationOptions } from './options.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const POD_AFFINITIES = ['podAffinity', 'podAntiAffinity'] as const;

/** Upstream's validateAffinity. */
export function validateAffinity(
  affinity: Affinity | undefined,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const node = affinity?.nodeAffinity;
  return [
    ...(node === undefined ? [] : nodeAffinity(node, path.child('nodeAffinity'), options)),
    ...POD_AFFINITIES.flatMap((field) => podAffinity(affinity?.[field], path.child(field), options)),
  ];
}

function nodeAffinity(affinity: NodeAffinity, path: FieldPath, options: PodValidationOptions): FieldError[] {
  const selector = affinity[REQUIRED];
  return [
    ...(selector === undefined
      ? []
      : validateNodeSelector(selector, path.child(REQUIRED), options.allowInvalidNodeAffinityValues)),
    ...validatePreferredTerms(affinity[PREFERRED] ?? [], path.child(PREFERRED)),
  ];
}

function podAffinity(
  affinity: PodAffinity | PodAntiAffinity | undefined,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  return [
    ...each(affinity?.[REQUIRED] ?? [], path.child(REQUIRED), (term, at) => validateTerm(term, at, options)),
    ...each(affinity?.[PREFERRED] ?? [], path.child(PREFERRED), (weighted, at) => [
      ...validateWeight(weighted, at),
      ...validateTerm(weighted.podAffinityTerm, at.child('podAffinityTerm'), options),
    ]),
  ];
}

/** The pod affinity terms of a spec, required and preferred. All their selectors are validated. */
export function podAffinityTerms({ affinity }: PodSpec): PodAffinityTerm[] {
  return POD_AFFINITIES.flatMap((field) => {
    const weighted = (affinity?.[field]?.[PREFERRED] ?? []).map(({ podAffinityTerm }) => podAffinityTerm);
    return [...(affinity?.[field]?.[REQUIRED] ?? []), ...weighted];
  });
}

/** Validates the two selectors of a term. */
export function validateTermSelectors(
  term: PodAffinityTerm,
  path: FieldPath,
  allowInvalidValues: boolean,
): FieldError[] {
  return (['labelSelector', 'namespaceSelector'] as const).flatMap((field) =>
    validateLabelSelector(term[field], path.child(field), { allowInvalidValues }),
  );
}

function validateTerm(term: PodAffinityTerm, path: FieldPath, options: PodValidationOptions): FieldError[] {
  const key = term.topologyKey;
  return [
    ...validateTermSelectors(term, path, options.allowInvalidSelectorValues),
    ...(term.namespaces ?? []).flatMap((name) =>
      nameIsDNSLabel(name, false).map((message) => invalid(path.child('namespace'), name, message)),
    ),
    ...validateLabelKeys(term, path),
    ...(key === '' ? [required(path.child('topologyKey'), 'can not be empty')] : []),
    ...validateLabelName(key, path.child('topologyKey')),
  ];
}
