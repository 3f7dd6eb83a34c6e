import type { JSONSchemaProps, ValidationRule } from '#lib/api/schema/json-schema-props.ts';
import { type FieldError, type FieldPath, forbidden, internalError, invalid } from '#lib/machinery/validation/field.ts';
import { type CompiledRule, compileRules, maxCardinality } from '../cel/compile-rules.ts';
import { declType } from '../cel/decl-type.ts';
import { ESTIMATED_RULE_LIMIT } from '../cel/limits.ts';
import { costText, type RuleCosts } from './rule-costs.ts';

/** The context of rules in nested schemas: upstream's CELSchemaContext. */
export interface RuleScope {
  readonly costs: RuleCosts;
  /** The maximum number of values of the schema, given the limits around it. Undefined if a list or map has no limit. */
  readonly cardinality: number | undefined;
  /** Whether the schema is the root. */
  readonly root: boolean;
  /** If true, the estimates of single rules are not checked, because an update left the schema unchanged. */
  readonly ignoreCosts: boolean;
}

/** Returns the scope of schemas nested in the schema. */
export function scopeInside(s: JSONSchemaProps, scope: RuleScope | undefined): RuleScope | undefined {
  if (scope === undefined) return undefined;
  const factor = mostElements(s);
  const cardinality = factor === undefined || scope.cardinality === undefined ? undefined : scope.cardinality * factor;
  return { ...scope, cardinality, root: false };
}

/** Returns how many values a schema can contain for each nested schema. */
function mostElements(s: JSONSchemaProps): number | undefined {
  if (s.type === 'object' && s.additionalProperties !== undefined) return bound(s.maxProperties);
  return s.type === 'array' ? bound(s.maxItems) : 1;
}

const bound = (max: number | undefined): number | undefined => (max === undefined ? undefined : Math.max(0, max));

/** Validates a schema's rules as expressions. `uncorrelatable` is the path of a surrounding schema whose values have no old values. */
export function ruleErrors(
  s: JSONSchemaProps,
  path: FieldPath,
  scope: RuleScope,
  uncorrelatable: FieldPath | undefined,
): FieldError[] {
  const at = path.child('x-kubernetes-validations');
  const type = declType(s, scope.root || s.embeddedResource === true);
  if (type === undefined) {
    const why = 'unable to convert structural schema to CEL declarations';
    const text = `internal error: failed to construct type information for x-kubernetes-validations rules: ${why}`;
    return [internalError(at, text)];
  }
  const cardinality = scope.cardinality ?? maxCardinality(type);
  return compileRules(s, type).flatMap((compiled, i) => [
    ...compiledErrors(compiled, at.index(i), scope, cardinality),
    ...oldSelfErrors(compiled, at.index(i), uncorrelatable),
  ]);
}

function compiledErrors(compiled: CompiledRule, path: FieldPath, scope: RuleScope, cardinality: number): FieldError[] {
  const { expression, message, error, messageError, rule } = compiled;
  const errors: FieldError[] = [];
  const cost = (expression?.maxCost ?? 0) * cardinality;
  const limit = scope.ignoreCosts ? Number.POSITIVE_INFINITY : ESTIMATED_RULE_LIMIT;
  if (cost > limit) {
    errors.push(forbidden(path.child('rule'), costText('estimated rule cost', cost, ESTIMATED_RULE_LIMIT)));
  }
  scope.costs.add(path.child('rule'), cost);
  if (error !== undefined) errors.push(invalid(path.child('rule'), shownRule(rule), error));
  const at = path.child('messageExpression');
  if (messageError !== undefined) errors.push(invalid(at, shownRule(rule), messageError));
  if (message === undefined) return errors;
  if (message.maxCost > limit) {
    errors.push(forbidden(at, costText('estimated messageExpression cost', message.maxCost, ESTIMATED_RULE_LIMIT)));
  }
  scope.costs.add(at, message.maxCost);
  return errors;
}

/** Returns upstream's ValidationRule in Go's encoding of the internal form: all fields, by Go name. */
function shownRule(rule: ValidationRule): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ['Rule', rule.rule],
    ['Message', rule.message ?? ''],
    ['MessageExpression', rule.messageExpression ?? ''],
    ['Reason', rule.reason ?? null],
    ['FieldPath', rule.fieldPath ?? ''],
    ['OptionalOldSelf', rule.optionalOldSelf ?? null],
  ]);
}

function oldSelfErrors(compiled: CompiledRule, path: FieldPath, uncorrelatable: FieldPath | undefined): FieldError[] {
  const { usesOldSelf, rule } = compiled;
  if (usesOldSelf && uncorrelatable !== undefined) {
    const text = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    return [invalid(path.child('rule'), rule.rule, text)];
  }
  if (usesOldSelf || rule.optionalOldSelf === undefined) return [];
  return [
    invalid(path.child('optionalOldSelf'), rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule'),
  ];
}
