import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { has, items, text, texts } from '#lib/machinery/unstructured.ts';
import { notSupported, required, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import { each } from '../shared/validate.ts';
import { defaultRule, validateNamedRule } from './rules.ts';

const LISTS = ['resourceRules', 'excludeResourceRules'];
const SELECTORS = ['namespaceSelector', 'objectSelector'];
const MATCHES = ['Equivalent', 'Exact'];

/** Upstream's SetDefaults_MatchResources. */
export function defaultMatchResources(match: JsonObject | undefined): void {
  if (match === undefined) return;
  match['matchPolicy'] ??= 'Equivalent';
  for (const selector of SELECTORS) match[selector] ??= {};
  for (const list of LISTS) for (const rule of items(match, list)) defaultRule(rule);
}

/** Upstream's validateMatchResources. */
export function validateMatchResources(match: JsonObject | undefined, path: FieldPath): FieldError[] {
  if (match === undefined) return [];
  const policy = text(match, 'matchPolicy');
  const known = MATCHES.includes(policy) ? [] : [notSupported(path.child('matchPolicy'), policy, MATCHES)];
  return [
    ...(has(match, 'matchPolicy') ? known : [required(path.child('matchPolicy'))]),
    ...SELECTORS.flatMap((field) =>
      has(match, field)
        ? validateLabelSelector(objectAt(match, field), path.child(field))
        : [required(path.child(field))],
    ),
    ...LISTS.flatMap((list) => each(items(match, list), path.child(list), validateNamedRule)),
  ];
}

const MUTABLE = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

/** What is deleted cannot be mutated. */
export function mutableOperations(match: JsonObject | undefined, path: FieldPath): FieldError[] {
  return items(match, 'resourceRules')
    .flatMap((rule) => texts(rule, 'operations'))
    .filter((operation) => !MUTABLE.includes(operation))
    .map((operation) => notSupported(path.child('resourceRules', 'operations'), operation, MUTABLE));
}
