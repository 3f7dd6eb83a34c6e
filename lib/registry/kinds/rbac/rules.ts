import { arrayAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { items, texts } from '#lib/machinery/unstructured.ts';
import { FieldPath, invalid, required, type FieldError } from '#lib/machinery/validation/field.ts';
import { pathSegmentName } from '#lib/machinery/validation/path-segment.ts';
import { each } from '../shared/validate.ts';

/** Roles and bindings may have any name that fits into a path. */
export const validateRBACName = pathSegmentName;

/** Upstream's ValidatePolicyRule of each rule: of resources, or, in the cluster only, of URLs. */
export function validateRules(role: JsonObject, namespaced: boolean): FieldError[] {
  return each(items(role, 'rules'), FieldPath.of('rules'), (rule, path) => [
    ...(arrayAt(rule, 'verbs').length === 0
      ? [required(path.child('verbs'), 'verbs must contain at least one value')]
      : []),
    ...(arrayAt(rule, 'nonResourceURLs').length > 0 ? urlErrors(rule, path, namespaced) : resourceErrors(rule, path)),
  ]);
}

function urlErrors(rule: JsonObject, path: FieldPath, namespaced: boolean): FieldError[] {
  const urls = texts(rule, 'nonResourceURLs');
  const where = path.child('nonResourceURLs');
  const both = ['apiGroups', 'resources', 'resourceNames'].some((field) => arrayAt(rule, field).length > 0);
  return [
    ...(namespaced ? [invalid(where, urls, 'namespaced rules cannot apply to non-resource URLs')] : []),
    ...(both ? [invalid(where, urls, 'rules cannot apply to both regular resources and non-resource URLs')] : []),
  ];
}

function resourceErrors(rule: JsonObject, path: FieldPath): FieldError[] {
  const none = (field: string): boolean => arrayAt(rule, field).length === 0;
  return [
    ...(none('apiGroups')
      ? [required(path.child('apiGroups'), 'resource rules must supply at least one api group')]
      : []),
    ...(none('resources')
      ? [required(path.child('resources'), 'resource rules must supply at least one resource')]
      : []),
  ];
}
