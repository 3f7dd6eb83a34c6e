import type { Activation } from '#lib/api/cel/interpreter/frame.ts';
import { MAX_MESSAGE_SIZE, PER_CALL_LIMIT } from '#lib/api/cel/library/limits.ts';
import { CelError, Optional, type Result, type Value } from '#lib/api/cel/values/value.ts';
import type { ValidationRule } from '#lib/api/schema/json-schema-props.ts';
import type { Structural } from '#lib/api/schema/structural.ts';
import { quote } from '#lib/machinery/go.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  required,
} from '#lib/machinery/validation/field.ts';
import type { CompiledRule, Expression } from './compile-rules.ts';
import type { Ratcheting } from './ratcheting.ts';
import type { Run } from './run.ts';
import { toValue } from './values.ts';

/** A value and the rules of its schema. The rules are undefined if expressions cannot access the schema. */
export interface RuleTarget {
  readonly rules: readonly CompiledRule[] | undefined;
  readonly schema: Structural;
  readonly path: FieldPath;
  readonly value: Json;
  readonly old: Json | undefined;
  readonly ratcheting: Ratcheting;
}

const ENDED = 'no further validation rules will be run';
const OUT_OF_BUDGET = `validation failed due to running out of cost budget, ${ENDED}`;
const LIMIT_EXCEEDED = 'operation cancelled: actual cost limit exceeded';

/** Evaluates the rules in order until the budget is spent. */
export function evaluateRules(run: Run, target: RuleTarget): void {
  const { rules, schema } = target;
  const fail = (detail: string): number => run.errors.push(invalid(shown(target.path), schema.type ?? '', detail));
  if (rules === undefined) {
    fail('rule compiler initialization error: failed to convert to declType for CEL validation rules');
    return;
  }
  if (run.budget <= 0) {
    fail(OUT_OF_BUDGET);
    run.budget = -1;
    return;
  }
  const activations = activationsOf(target, run.isFloat === true);
  for (const compiled of rules) {
    if (compiled.error !== undefined) fail(`rule compile error: ${compiled.error}`);
    else if (applies(compiled, target)) evaluateRule(run, compiled, target, activations);
    if (run.budget < 0) return;
  }
}

/** Prints a path. Go prints the nil path of a root differently. */
function shown(path: FieldPath): string {
  const text = path.toString();
  return text === '' ? '<nil>' : text;
}

interface Activations {
  readonly plain: Activation;
  /** Contains `oldSelf` as an optional. */
  readonly optional: Activation;
}

function activationsOf({ value, old, schema }: RuleTarget, isFloat: boolean): Activations {
  // A value that does not fit its schema becomes an error, which evaluation propagates.
  const self = toValue(value, schema, isFloat && typeof value === 'number') as Value;
  const oldSelf = old === undefined ? undefined : (toValue(old, schema) as Value);
  const optional = oldSelf === undefined ? Optional.none : Optional.of(oldSelf);
  return {
    plain: { resolve: (name) => (name === 'self' ? self : name === 'oldSelf' ? oldSelf : undefined) },
    optional: { resolve: (name) => (name === 'self' ? self : name === 'oldSelf' ? optional : undefined) },
  };
}

/** Whether the rule applies. Transition rules need an old value, unless they declare it optional. */
function applies({ expression, usesOldSelf, rule }: CompiledRule, { old }: RuleTarget): boolean {
  if (expression === undefined) return false;
  return !usesOldSelf || old !== undefined || rule.optionalOldSelf === true;
}

function evaluateRule(run: Run, compiled: CompiledRule, target: RuleTarget, activations: Activations): void {
  const { rule, expression } = compiled;
  if (expression === undefined) return;
  const activation = rule.optionalOldSelf === true ? activations.optional : activations.plain;
  const { value, cost } = expression.program.evaluate(activation, PER_CALL_LIMIT);
  const fail = (detail: string): number =>
    run.errors.push(invalid(shown(target.path), target.schema.type ?? '', detail));
  if (cost > run.budget) {
    fail(OUT_OF_BUDGET);
    run.budget = -1;
    return;
  }
  run.budget -= cost;
  if (value instanceof CelError) {
    fail(evaluationFault(value.message, rule));
    if (value.message.startsWith(LIMIT_EXCEEDED)) run.budget = -1;
  } else if (value !== true) report(run, compiled, target, activations.plain);
}

function evaluationFault(message: string, rule: ValidationRule): string {
  const name = ruleName(rule);
  if (message.startsWith('no such overload')) {
    return `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${name}`;
  }
  if (message.startsWith(LIMIT_EXCEEDED)) {
    return `'${message}': ${ENDED} due to call cost exceeds limit for rule: ${name}`;
  }
  return `${message} evaluating rule: ${name}`;
}

const ruleName = ({ rule, message = '' }: ValidationRule): string => (message === '' ? rule : message).trim();

/** Reports the error of a failed rule. A fatal error of messageExpression ends the validation. */
function report(run: Run, compiled: CompiledRule, target: RuleTarget, activation: Activation): void {
  const { rule, message, fieldPath, usesOldSelf } = compiled;
  const { path, schema, value } = target;
  const at = shown(fieldPath === '' ? path : path.child(fieldPath));
  const errors = !usesOldSelf && target.ratcheting.unchanged() ? run.forgiven : run.errors;
  const made = message === undefined ? undefined : makeMessage(run, message, rule, activation);
  if (made?.fatal !== undefined) {
    errors.push(invalid(at, schema.type ?? '', made.fatal));
    return;
  }
  const given = rule.message ?? '';
  const detail = made?.text ?? (given === '' ? `failed rule: ${ruleName(rule)}` : given.trim());
  const isContainer = schema.type === 'object' || schema.type === 'array';
  errors.push(errorFor(at, isContainer ? undefined : value, detail, rule.reason));
}

function errorFor(path: string, value: Json | undefined, detail: string, reason: string | undefined): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbidden(path, detail);
    case 'FieldValueRequired':
      return required(path, detail);
    case 'FieldValueDuplicate':
      return duplicate(path, value);
    default:
      return invalid(path, value, detail);
  }
}

/** If the expression failed, both fields are unset and the rule's own message applies. */
interface Message {
  readonly text?: string;
  readonly fatal?: string;
}

function makeMessage(run: Run, { program }: Expression, rule: ValidationRule, activation: Activation): Message {
  const { value, cost } = program.evaluate(activation, PER_CALL_LIMIT);
  if (cost > run.budget) {
    run.budget = -1;
    return { fatal: `messageExpression evaluation failed due to running out of cost budget, ${ENDED}` };
  }
  run.budget -= cost;
  if (value instanceof CelError && value.message.startsWith(LIMIT_EXCEEDED)) {
    run.budget = -1;
    const source = quote(rule.messageExpression ?? '');
    return { fatal: `${ENDED} due to call cost exceeds limit for messageExpression: ${source}` };
  }
  const text = usableText(value);
  return text === undefined ? {} : { text };
}

function usableText(value: Result): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || text.includes('\n') || Buffer.byteLength(text) > MAX_MESSAGE_SIZE ? undefined : text;
}
