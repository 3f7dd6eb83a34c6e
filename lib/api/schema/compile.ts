import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { additionalSchema, type JSONSchemaProps } from './json-schema-props.ts';
import { kindOf, type ValueKind } from './kinds.ts';
import { type Mode, type ScalarRules, scalarRules } from './scalar-rules.ts';
import { uniqueItems } from './unique-items.ts';
import type { ValidationBudget } from './validation-budget.ts';

/** Whether a value satisfies a schema. `explain` returns the reasons. */
export type Check = (value: Json) => boolean;

/** How to compile a schema. Its checks charge their steps to the budget. */
export interface Compiling {
  readonly mode: Mode;
  readonly budget: ValidationBudget;
}

/**
 * Compiles a schema to closures, one list for each kind of value. Checking a valid object then needs neither paths nor allocations. Each
 * part is compiled for its first value, because most of a large schema is never used. Checks throw BudgetExceeded.
 */
export function compile(s: JSONSchemaProps, how: Compiling): Check {
  let parts: Parts | undefined;
  const lists: Partial<Record<ValueKind, readonly Check[]>> = {};
  return (value) => {
    const kind = kindOf(value);
    let list = lists[kind];
    if (list === undefined) {
      parts ??= { rules: scalarRules(s, how.mode), junctors: junctorChecks(s, how), how };
      list = kindChecks(s, parts, kind);
      lists[kind] = list;
    }
    for (const check of list) if (!check(value)) return false;
    return true;
  };
}

interface Parts {
  readonly rules: ScalarRules;
  readonly junctors: readonly Check[];
  readonly how: Compiling;
}

function kindChecks(s: JSONSchemaProps, { rules, junctors, how }: Parts, kind: ValueKind): readonly Check[] {
  const checks: Check[] = [];
  if (rules.typed) checks.push((value) => rules.type(value, kind, '') === undefined);
  if (kind !== 'null') checks.push(...junctors);
  if (kind === 'string') checks.push(...textChecks(s, rules, how));
  if (kind === 'integer' || kind === 'number') {
    checks.push((value) => rules.number(value as number | bigint, '').length === 0);
  }
  if (kind === 'array') checks.push(...arrayChecks(s, how));
  if (s.enum !== undefined) checks.push(enumCheck(s.enum.length, rules, how));
  if (kind === 'object') checks.push(...objectChecks(s, how));
  return checks;
}

/** Looks up strings in a set. Compares other values with each allowed value. */
const enumCheck =
  (length: number, { enumeration }: ScalarRules, { budget }: Compiling): Check =>
  (value) => {
    if (typeof value !== 'string') budget.spend(length);
    return enumeration(value, '') === undefined;
  };

function textChecks(s: JSONSchemaProps, rules: ScalarRules, { budget }: Compiling): Check[] {
  const checks: Check[] = [];
  if (s.maxLength !== undefined || s.minLength !== undefined || s.pattern !== undefined) {
    checks.push((value) => {
      budget.match(rules.patternSteps(value as string));
      return rules.text(value, '') === undefined;
    });
  }
  if (rules.hasFormat) checks.push((value) => rules.format(value, '') === undefined);
  return checks;
}

/** The number of branches does not depend on the object, so all of them are charged before the first one runs. */
function junctorChecks(s: JSONSchemaProps, how: Compiling): Check[] {
  const compiled = (schemas: readonly JSONSchemaProps[] = []): Check[] => schemas.map((item) => compile(item, how));
  const [anyOf, oneOf, allOf] = [compiled(s.anyOf), compiled(s.oneOf), compiled(s.allOf)];
  const not = s.not === undefined ? undefined : compile(s.not, how);
  const branches = anyOf.length + oneOf.length + allOf.length + (not === undefined ? 0 : 1);
  const checks: Check[] = [];
  if (branches > 0) checks.push(() => how.budget.spend(branches));
  if (s.anyOf !== undefined) checks.push((value) => anyOf.some((check) => check(value)));
  if (s.oneOf !== undefined) checks.push((value) => oneOf.filter((check) => check(value)).length === 1);
  checks.push(...allOf);
  if (not !== undefined) checks.push((value) => !not(value));
  return checks;
}

function arrayChecks(s: JSONSchemaProps, how: Compiling): Check[] {
  const checks: Check[] = [];
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = s;
  if (s.items !== undefined) {
    const item = compile(s.items, how);
    checks.push((value) => (value as readonly Json[]).every(item));
  }
  if (s.minItems !== undefined || s.maxItems !== undefined) {
    checks.push((value) => within((value as readonly Json[]).length, minItems, maxItems));
  }
  if (s.uniqueItems === true) checks.push((value) => uniqueItems(value as readonly Json[]));
  return checks;
}

const within = (size: number, min: number, max: number): boolean => size >= min && size <= max;

function objectChecks(s: JSONSchemaProps, how: Compiling): Check[] {
  const checks: Check[] = [];
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = s;
  if (s.minProperties !== undefined || s.maxProperties !== undefined) {
    checks.push((value) => within(Object.keys(value as JsonObject).length, minProperties, maxProperties));
  }
  const required = s.required ?? [];
  if (required.length > 0) checks.push((value) => required.every((name) => Object.hasOwn(value as JsonObject, name)));
  const fields = fieldsCheck(s, how);
  if (fields !== undefined) checks.push(fields);
  return checks;
}

function fieldsCheck(s: JSONSchemaProps, how: Compiling): Check | undefined {
  const closed = s.additionalProperties === false;
  const additional = additionalSchema(s);
  if (s.properties === undefined && additional === undefined && !closed) return undefined;
  const known = new Map<string, Check>();
  const other = additional === undefined ? undefined : compile(additional, how);
  const checkOf = (name: string): Check | undefined => {
    const property = s.properties?.get(name);
    if (property === undefined) return other;
    const check = compile(property, how);
    known.set(name, check);
    return check;
  };
  return (value) => {
    if (!isObject(value)) return true;
    for (const name of Object.keys(value)) {
      const check = known.get(name) ?? checkOf(name);
      if (check === undefined ? closed : !check(value[name] as Json)) return false;
    }
    return true;
  };
}
