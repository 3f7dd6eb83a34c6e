import type { MatchResources } from '#lib/api/types/admissionregistration.v1.ts';
import { type FieldError, type FieldPath, notSupported, required } from '#lib/machinery/validation/field.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import { each } from '../shared/validate.ts';
import { defaultRule, validateNamedRule } from './rules.ts';

const LISTS = ['resourceRules', 'excludeResourceRules'] as const;
const SELECTORS = ['namespaceSelector', 'objectSelector'] as const;
const MATCHES = ['Equivalent', 'Exact'];

/** Upstream's SetDefaults_MatchResources. */
export function defaultMatchResources(match: MatchResources | undefined): void {
  if (match === undefined) return;
  match.matchPolicy ??= 'Equivalent';
  for (const selector of SELECTORS) match[selector] ??= {};
  for (const list of LISTS) for (const rule of match[list] ?? []) defaultRule(rule);
}

/** Upstream's validateMatchResources. */
export function validateMatchResources(match: MatchResources | undefined, path: FieldPath): FieldError[] {
  if (match === undefined) return [];
  const policy = match.matchPolicy ?? '';
  const known = MATCHES.includes(policy) ? [] : [notSupported(path.child('matchPolicy'), policy, MATCHES)];
  return [
    ...(match.matchPolicy !== undefined ? known : [required(path.child('matchPolicy'))]),
    ...SELECTORS.flatMap((field) =>
      match[field] !== undefined
        ? validateLabelSelector(match[field], path.child(field))
        : [required(path.child(field))],
    ),
    ...LISTS.flatMap((list) => each(match[list] ?? [], path.child(list), validateNamedRule)),
  ];
}

const MUTABLE = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

/** Rejects operations without an object to mutate, such as DELETE. */
export function mutableOperations(match: MatchResources | undefined, path: FieldPath): FieldError[] {
  return (match?.resourceRules ?? [])
    .flatMap((rule) => rule.operations ?? [])
    .filter((operation) => !MUTABLE.includes(operation))
    .map((operation) => notSupported(path.child('resourceRules', 'operations'), operation, MUTABLE));
}
