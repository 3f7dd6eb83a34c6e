import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { additionalSchema, type JSONSchemaProps } from './json-schema-props.ts';
import { kindOf, type ValueKind } from './kinds.ts';
import { type Mode, type ScalarRules, scalarRules } from './scalar-rules.ts';
import { uniqueItems } from './unique-items.ts';

/** Whether a value satisfies a schema; `explain` says why not. */
export type Check = (value: Json) => boolean;

/**
 * A schema as closures, one list by kind of value, so that a valid object costs no path and no allocation. Each part is made
 * when a value first comes to it: most of a large schema never sees one.
 */
export function compile(s: JSONSchemaProps, mode: Mode): Check {
  let parts: Parts | undefined;
  const lists: Partial<Record<ValueKind, readonly Check[]>> = {};
  return (value) => {
    const kind = kindOf(value);
    let list = lists[kind];
    if (list === undefined) {
      parts ??= { rules: scalarRules(s, mode), junctors: junctorChecks(s, mode), mode };
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
  readonly mode: Mode;
}

function kindChecks(s: JSONSchemaProps, { rules, junctors, mode }: Parts, kind: ValueKind): readonly Check[] {
  const checks: Check[] = [];
  if (rules.typed) checks.push((value) => rules.type(value, kind, '') === undefined);
  if (kind !== 'null') checks.push(...junctors);
  if (kind === 'string') checks.push(...textChecks(s, rules));
  if (kind === 'integer' || kind === 'number') {
    checks.push((value) => rules.number(value as number | bigint, '').length === 0);
  }
  if (kind === 'array') checks.push(...arrayChecks(s, mode));
  if (s.enum !== undefined) checks.push((value) => rules.enumeration(value, '') === undefined);
  if (kind === 'object') checks.push(...objectChecks(s, mode));
  return checks;
}

function textChecks(s: JSONSchemaProps, rules: ScalarRules): Check[] {
  const checks: Check[] = [];
  if (s.maxLength !== undefined || s.minLength !== undefined || s.pattern !== undefined) {
    checks.push((value) => rules.text(value, '') === undefined);
  }
  if (rules.hasFormat) checks.push((value) => rules.format(value, '') === undefined);
  return checks;
}

function junctorChecks(s: JSONSchemaProps, mode: Mode): Check[] {
  const checks: Check[] = [];
  const anyOf = s.anyOf?.map((item) => compile(item, mode));
  const oneOf = s.oneOf?.map((item) => compile(item, mode));
  const allOf = s.allOf?.map((item) => compile(item, mode));
  if (anyOf !== undefined) checks.push((value) => anyOf.some((check) => check(value)));
  if (oneOf !== undefined) checks.push((value) => oneOf.filter((check) => check(value)).length === 1);
  if (allOf !== undefined) checks.push(...allOf);
  if (s.not !== undefined) {
    const not = compile(s.not, mode);
    checks.push((value) => !not(value));
  }
  return checks;
}

function arrayChecks(s: JSONSchemaProps, mode: Mode): Check[] {
  const checks: Check[] = [];
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = s;
  if (s.items !== undefined) {
    const item = compile(s.items, mode);
    checks.push((value) => (value as readonly Json[]).every(item));
  }
  if (s.minItems !== undefined || s.maxItems !== undefined) {
    checks.push((value) => within((value as readonly Json[]).length, minItems, maxItems));
  }
  if (s.uniqueItems === true) checks.push((value) => uniqueItems(value as readonly Json[]));
  return checks;
}

const within = (size: number, min: number, max: number): boolean => size >= min && size <= max;

function objectChecks(s: JSONSchemaProps, mode: Mode): Check[] {
  const checks: Check[] = [];
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = s;
  if (s.minProperties !== undefined || s.maxProperties !== undefined) {
    checks.push((value) => within(Object.keys(value as JsonObject).length, minProperties, maxProperties));
  }
  const required = s.required ?? [];
  if (required.length > 0) checks.push((value) => required.every((name) => Object.hasOwn(value as JsonObject, name)));
  const fields = fieldsCheck(s, mode);
  if (fields !== undefined) checks.push(fields);
  return checks;
}

function fieldsCheck(s: JSONSchemaProps, mode: Mode): Check | undefined {
  const closed = s.additionalProperties === false;
  const additional = additionalSchema(s);
  if (s.properties === undefined && additional === undefined && !closed) return undefined;
  const known = new Map<string, Check>();
  const other = additional === undefined ? undefined : compile(additional, mode);
  const checkOf = (name: string): Check | undefined => {
    const property = s.properties?.get(name);
    if (property === undefined) return other;
    const check = compile(property, mode);
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
