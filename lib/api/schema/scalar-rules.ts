import { equal, type Json } from '#lib/machinery/json-value.ts';
import { enumFinding, type Finding, otherFinding, typeFinding } from './finding.ts';
import { formatCheck, isRecognizedFormat } from './formats.ts';
import type { JSONSchemaProps } from './json-schema-props.ts';
import { isJsonInteger, kindOf, runeCount, type ValueKind } from './kinds.ts';
import { numberFindings, numberRule } from './number-rule.ts';
import { compilePattern, type Pattern } from './regexp.ts';

/**
 * `resource`: int-or-string is a type and unknown formats are dropped, as for objects. `default`: the schema as written, which upstream
 * uses to validate default values.
 */
export type Mode = 'resource' | 'default';

type Rule = (value: Json, name: string) => Finding | undefined;

/** The rules of one schema node for the value itself, not for nested values. */
export interface ScalarRules {
  readonly types: readonly string[];
  /** Whether a type or a format applies. Upstream counts only rules that apply. */
  readonly typed: boolean;
  readonly hasFormat: boolean;
  readonly type: (value: Json, kind: ValueKind, name: string) => Finding | undefined;
  readonly text: Rule;
  readonly format: Rule;
  readonly number: (value: number | bigint, name: string) => readonly Finding[];
  readonly enumeration: Rule;
  /** Returns the number of steps that the pattern takes on a text; 0 without a pattern. */
  readonly patternSteps: (text: string) => number;
}

/** Returns the scalar rules of a schema node. They are prepared once. */
export function scalarRules(s: JSONSchemaProps, mode: Mode): ScalarRules {
  const types =
    mode === 'resource' && s.intOrString === true ? ['integer', 'string'] : s.type === undefined ? [] : [s.type];
  const single = types.length === 1 ? (types[0] as string) : '';
  const keeps = mode === 'default' || isRecognizedFormat(single, s.format ?? '');
  const format = keeps ? (s.format ?? '') : '';
  const numbers = numberRule(s, single, format);
  return {
    types,
    typed: types.length > 0 || format !== '',
    hasFormat: formatCheck(format) !== undefined,
    type: typeRule(types, format, s.nullable === true),
    text: textRule(s),
    format: formatRule(format),
    number: (value, name) => numberFindings(numbers, value, name),
    enumeration: enumRule(s.enum),
    patternSteps: (text) => patternSteps(s.pattern, text),
  };
}

const GO_FORMATS: Partial<Record<ValueKind, string>> = { integer: 'int64', number: 'float64' };

function typeRule(types: readonly string[], format: string, nullable: boolean): ScalarRules['type'] {
  const expected = types.join(',');
  const numeric = types.includes('number') || types.includes('integer');
  const accepts = (value: Json, kind: ValueKind): boolean =>
    types.includes(kind) ||
    (kind === 'integer' && types.includes('number')) ||
    (kind === 'number' && types.includes('integer') && isJsonInteger(value as number));
  return (value, kind, name) => {
    if (kind === 'null') return types.length === 0 || nullable ? undefined : typeFinding(name, expected, 'null');
    if (format !== '') {
      const textual = kind === 'string' || kind === 'array';
      const goFormat = GO_FORMATS[kind] ?? '';
      if (!textual && !accepts(value, kind) && goFormat !== format) return typeFinding(name, format, goFormat);
      if (textual && !numeric) return undefined;
    }
    return accepts(value, kind) ? undefined : typeFinding(name, expected, kind);
  };
}

/** Reports only the first failure of length and pattern, like upstream. */
function textRule(s: JSONSchemaProps): Rule {
  const { maxLength, minLength, pattern } = s;
  let compiled: Pattern | string | undefined;
  return (value, name) => {
    const text = value as string;
    if (maxLength !== undefined && (text.length > maxLength || maxLength < 0) && runeCount(text) > maxLength) {
      return {
        code: 'tooLong',
        name,
        limit: maxLength,
        text: `${name} in body should be at most ${maxLength} chars long`,
      };
    }
    if (minLength !== undefined && runeCount(text) < minLength) {
      return otherFinding(name, text, `should be at least ${minLength} chars long`);
    }
    if (pattern === undefined) return undefined;
    compiled ??= compilePattern(pattern);
    if (typeof compiled === 'object' && compiled.test(text)) return undefined;
    const shown = typeof compiled === 'string' ? `${pattern}, but pattern is invalid: ${compiled}` : pattern;
    return otherFinding(name, text, `should match '${shown}'`);
  };
}

function patternSteps(pattern: string | undefined, text: string): number {
  if (pattern === undefined) return 0;
  const compiled = compilePattern(pattern);
  return typeof compiled === 'string' ? 0 : compiled.steps(text);
}

function formatRule(format: string): Rule {
  const check = formatCheck(format);
  return (value, name) =>
    check === undefined || check(value as string) ? undefined : typeFinding(name, format, value as string);
}

function enumRule(allowed: readonly Json[] | undefined): Rule {
  if (allowed === undefined) return () => undefined;
  const texts = new Set(allowed.filter((item) => typeof item === 'string'));
  return (value, name) => {
    const found = typeof value === 'string' ? texts.has(value) : allowed.some((item) => converts(value, item));
    return found ? undefined : enumFinding(name, value, allowed);
  };
}

/** Upstream compares after Go's conversion to the enum value's type: a float is truncated to an int, an int may become a rune. */
function converts(value: Json, allowed: Json): boolean {
  const from = kindOf(value);
  const to = kindOf(allowed);
  if (from === 'null' || to === 'null') return false;
  if (from === 'integer' && to === 'string') return allowed === rune(Number(value));
  if (from === 'number' && to === 'integer') return Math.trunc(value as number) === Number(allowed);
  if (from === 'integer' && to === 'number') return Number(value) === allowed;
  return equal(value, allowed);
}

const rune = (code: number): string =>
  code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '\ufffd';
