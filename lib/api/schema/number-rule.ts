import { MAX_INT32, MAX_INT64, MIN_INT32, MIN_INT64 } from '#lib/machinery/integer-limits.ts';
import { compositeFinding, type Finding, otherFinding } from './finding.ts';
import type { JSONSchemaProps } from './json-schema-props.ts';
import { formatFloat, isJsonInteger, kindOf } from './kinds.ts';

/** The number checks of a schema. `type` is '' if the schema names no type or several. */
export interface NumberRule {
  readonly type: string;
  readonly format: string;
  readonly schema: JSONSchemaProps;
  readonly trivial: boolean;
}

/** Returns the number rule of a schema node. It is prepared once. */
export function numberRule(schema: JSONSchemaProps, type: string, format: string): NumberRule {
  const integer = type === 'integer' && (format === 'int32' || format === 'int64');
  const number = type === 'number' && (format === 'float' || format === 'double');
  const { multipleOf, maximum, minimum } = schema;
  const bounded = multipleOf !== undefined || maximum !== undefined || minimum !== undefined;
  return {
    type: type === 'integer' || type === 'number' ? type : '',
    format: integer || number ? format : '',
    schema,
    trivial: !bounded && type !== 'integer' && format !== 'float',
  };
}

/** Upstream's numberValidator: integers are compared with limits truncated to integers, floats as floats. */
export function numberFindings(rule: NumberRule, value: number | bigint, name: string): readonly Finding[] {
  if (rule.trivial) return [];
  const { multipleOf, maximum, minimum } = rule.schema;
  const integer = kindOf(value) === 'integer';
  const findings = [outOfRange(rule, value, 'Checked', name)];
  if (multipleOf !== undefined) {
    const bad = outOfRange(rule, multipleOf, 'MultipleOf', name);
    findings.push(bad, factorFinding(value, multipleOf, integer && bad === undefined, name));
  }
  if (maximum !== undefined) {
    const bad = outOfRange(rule, maximum, 'Maximum boundary', name);
    findings.push(bad, maximumFinding(rule, value, cut(maximum, integer && bad === undefined), name));
  }
  if (minimum !== undefined) {
    const bad = outOfRange(rule, minimum, 'Minimum boundary', name);
    findings.push(bad, minimumFinding(rule, value, cut(minimum, integer && bad === undefined), name));
  }
  return findings.filter((finding) => finding !== undefined);
}

const cut = (bound: number, integer: boolean): number => (integer ? Math.trunc(bound) : bound);

function maximumFinding(rule: NumberRule, value: number | bigint, max: number, name: string): Finding | undefined {
  const exclusive = rule.schema.exclusiveMaximum === true;
  if (exclusive ? value < max : value <= max) return undefined;
  return otherFinding(name, value, `should be less than ${exclusive ? '' : 'or equal to '}${formatFloat(max)}`);
}

function minimumFinding(rule: NumberRule, value: number | bigint, min: number, name: string): Finding | undefined {
  const exclusive = rule.schema.exclusiveMinimum === true;
  if (exclusive ? value > min : value >= min) return undefined;
  return otherFinding(name, value, `should be greater than ${exclusive ? '' : 'or equal to '}${formatFloat(min)}`);
}

function factorFinding(value: number | bigint, by: number, integer: boolean, name: string): Finding | undefined {
  const factor = cut(by, integer);
  if (factor <= 0) {
    const text = `factor MultipleOf declared for ${name} must be positive: ${formatFloat(factor)}`;
    return { code: 'other', name, value: factor, text };
  }
  if (isMultiple(value, factor, integer)) return undefined;
  return otherFinding(name, value, `should be a multiple of ${formatFloat(factor)}`);
}

function isMultiple(value: number | bigint, factor: number, integer: boolean): boolean {
  if (integer) return BigInt(value) % BigInt(factor) === 0n;
  return isJsonInteger(factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor);
}

/** Upstream's `IsValueValidAgainstRange`: whether the number fits the type and format. */
function outOfRange(rule: NumberRule, value: number | bigint, what: string, name: string): Finding | undefined {
  if (fits(rule, value)) return undefined;
  const { type, format } = rule;
  const expected = format === '' ? `${type} (default format)` : `${type} with format ${format}`;
  return compositeFinding(`${what} value must be of type ${expected} in ${name}`);
}

function fits({ type, format }: NumberRule, value: number | bigint): boolean {
  if (type !== 'integer') return format !== 'float' || Number.isFinite(Math.fround(Number(value)));
  if (typeof value === 'number' && !Number.isInteger(value)) return false;
  const [least, most] = format === 'int32' ? [MIN_INT32, MAX_INT32] : [MIN_INT64, MAX_INT64];
  return value >= least && value <= most;
}
