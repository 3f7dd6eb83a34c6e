import type { NamedRuleWithOperations, RuleWithOperations } from '#lib/api/types/admissionregistration.v1.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { pathSegmentName } from '#lib/machinery/validation/path-segment.ts';
import { repeatedAt } from '../shared/repeats.ts';
import { checked, each, optionalOneOf } from '../shared/validate.ts';

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

/** Upstream's SetDefaults_Rule. */
export function defaultRule(rule: RuleWithOperations | NamedRuleWithOperations): void {
  rule.scope ??= '*';
}

/** Upstream's validateRuleWithOperations: a rule that selects requests for a webhook or a policy. */
export function validateRule(rule: RuleWithOperations | NamedRuleWithOperations, path: FieldPath): FieldError[] {
  const operations = rule.operations ?? [];
  const where = path.child('operations');
  return [
    ...someAndNotAll(rule.operations, path.child('operations'), 'operations'),
    ...each(operations, where, (operation, at) =>
      OPERATIONS.includes(operation) ? [] : [notSupported(at, operation, OPERATIONS)],
    ),
    ...someAndNotAll(rule.apiGroups, path.child('apiGroups'), 'API groups'),
    ...someAndNotAll(rule.apiVersions, path.child('apiVersions'), 'API versions'),
    ...notEmpty(rule.apiVersions ?? [], path.child('apiVersions')),
    ...resourceErrors(rule.resources ?? [], path.child('resources')),
    ...optionalOneOf<typeof rule>(rule, 'scope', path, ['*', 'Cluster', 'Namespaced']),
  ];
}

/** Validates a policy's rule, which may also list resource names. */
export function validateNamedRule(rule: NamedRuleWithOperations, path: FieldPath): FieldError[] {
  const names = rule.resourceNames ?? [];
  return [
    ...each(names, path.child('resourceNames'), (name, where) =>
      checked(name, where, (text) => pathSegmentName(text, false)),
    ),
    ...repeatedAt(names).map((i) => duplicate(path.child('resourceNames').index(i), names[i])),
    ...validateRule(rule, path),
  ];
}

function someAndNotAll(values: string[] = [], path: FieldPath, what: string): FieldError[] {
  if (values.length === 0) return [required(path)];
  if (values.length === 1 || !values.includes('*')) return [];
  return [invalid(path, values, `if '*' is present, must not specify other ${what}`)];
}

function notEmpty(values: readonly string[], path: FieldPath): FieldError[] {
  return each(values, path, (value, where) => (value === '' ? [required(where)] : []));
}

/** A wildcard may not be listed together with a resource that it covers. */
function resourceErrors(resources: readonly string[], path: FieldPath): FieldError[] {
  if (resources.length === 0) return [required(path)];
  const allOf = new Set<string>();
  const everySub = new Set<string>();
  const errors = each(resources, path, (resource, where) => {
    if (resource === '') return [required(where)];
    const slash = resource.indexOf('/');
    if (slash < 0) return [];
    const [name, sub] = [resource.slice(0, slash), resource.slice(slash + 1)];
    const covered = (wildcard: string): FieldError =>
      invalid(where, resource, `if '${wildcard}' is present, must not specify ${resource}`);
    const found = [
      ...(allOf.has(name) ? [covered(`${name}/*`)] : []),
      ...(everySub.has(sub) ? [covered(`*/${sub}`)] : []),
    ];
    if (sub === '*') allOf.add(name);
    if (name === '*') everySub.add(sub);
    return found;
  });
  return [...errors, ...wholeListErrors(resources, path)];
}

function wholeListErrors(resources: readonly string[], path: FieldPath): FieldError[] {
  const plain = resources.filter((resource) => resource !== '' && !resource.includes('/'));
  // Upstream checks only the last one.
  const beside = plain.length > 0 && plain.at(-1) !== '*';
  return [
    ...(resources.length > 1 && resources.includes('*/*')
      ? [invalid(path, resources, "if '*/*' is present, must not specify other resources")]
      : []),
    ...(plain.includes('*') && beside
      ? [invalid(path, resources, "if '*' is present, must not specify other resources without subresources")]
      : []),
  ];
}
