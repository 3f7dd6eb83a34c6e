import { dynamicValue } from '#lib/api/admission-cel/dynamic-value.ts';
import { compileExpression, type Expression } from '#lib/api/admission-cel/expression.ts';
import { environment } from '#lib/api/cel/environment.ts';
import { baseEnvironment } from '#lib/api/cel/library/base-environment.ts';
import { PER_CALL_LIMIT } from '#lib/api/cel/library/limits.ts';
import { activationOf, type Program } from '#lib/api/cel/program.ts';
import type { TypeProvider } from '#lib/api/cel/types/provider.ts';
import { boolType, listType, mapType, objectType, stringType, type Type } from '#lib/api/cel/types/type.ts';
import { CelError } from '#lib/api/cel/values/value.ts';
import { aggregateText } from '#lib/machinery/aggregate.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { Attributes } from '../authorizer.ts';
import { reviewSpec } from './review.ts';

const text = stringType;
const requestType = objectType('kubernetes.SubjectAccessReviewSpec');
const resourceType = objectType('kubernetes.ResourceAttributes');
const pathType = objectType('kubernetes.NonResourceAttributes');
const fieldSelectorType = objectType('kubernetes.FieldSelectorAttributes');
const labelSelectorType = objectType('kubernetes.LabelSelectorAttributes');
const requirementType = objectType('kubernetes.SelectorRequirement');
const selectorFields = { rawSelector: text, requirements: listType(requirementType) };

const FIELDS: Readonly<Record<string, Readonly<Record<string, Type>>>> = {
  [requestType.name]: {
    resourceAttributes: resourceType,
    nonResourceAttributes: pathType,
    user: text,
    groups: listType(text),
    extra: mapType(text, listType(text)),
    uid: text,
  },
  [resourceType.name]: {
    namespace: text,
    verb: text,
    group: text,
    version: text,
    resource: text,
    subresource: text,
    name: text,
    fieldSelector: fieldSelectorType,
    labelSelector: labelSelectorType,
  },
  [pathType.name]: { path: text, verb: text },
  [fieldSelectorType.name]: selectorFields,
  [labelSelectorType.name]: selectorFields,
  [requirementType.name]: { key: text, operator: text, values: listType(text) },
};

const TYPES: TypeProvider = {
  findType: (name) => (Object.hasOwn(FIELDS, name) ? objectType(name) : undefined),
  findField(typeName, field) {
    const fields = Object.hasOwn(FIELDS, typeName) ? FIELDS[typeName] : undefined;
    return fields !== undefined && Object.hasOwn(fields, field) ? fields[field] : undefined;
  },
};

/** Whether all conditions are true. A false condition takes precedence over errors. A string is the evaluation error. */
export type Concerns = (user: User, asked: Attributes) => boolean | string;

const compiledCondition = (expression: string): Expression =>
  compileExpression(expression, environment({ variables: { request: requestType }, types: TYPES }, baseEnvironment()), [
    boolType,
  ]);

/** The compilation error of a condition. Undefined if it is valid. */
export const compileError = (expression: string): string | undefined => compiledCondition(expression).error;

/** Compiles the conditions. Throws TypeError for an invalid one. */
export function matchConditions(expressions: readonly string[]): Concerns {
  if (expressions.length === 0) return () => true;
  const conditions = expressions.map((expression): { expression: string; program: Program } => {
    const compiled = compiledCondition(expression);
    if (compiled.error !== undefined) throw new TypeError(compiled.error);
    return { expression, program: compiled.program };
  });
  return (user, asked) => {
    const activation = activationOf({ request: dynamicValue(requestOf(user, asked)) });
    const errors: string[] = [];
    for (const { expression, program } of conditions) {
      const { value } = program.evaluate(activation, PER_CALL_LIMIT);
      if (value === false) return false;
      if (value instanceof CelError)
        errors.push(`cel evaluation error: expression '${expression}' resulted in error: ${value.message}`);
    }
    return errors.length === 0 ? true : aggregateText(errors);
  };
}

/** The review's spec, including empty strings and lists. */
function requestOf(user: User, asked: Attributes): JsonObject {
  const { namespace, verb, group, version, resource, subresource, name, path, isResourceRequest } = asked;
  const spec = reviewSpec(user, asked);
  const common = { user: '', groups: [], extra: {}, uid: '', ...spec };
  if (!isResourceRequest) return { ...common, nonResourceAttributes: { path, verb } };
  const selectors = objectAt(spec, 'resourceAttributes') ?? {};
  return {
    ...common,
    resourceAttributes: { ...selectors, namespace, verb, group, version, resource, subresource, name },
  };
}
