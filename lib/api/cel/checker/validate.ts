import type { CheckedExpr } from '../ast/checked.ts';
import type { Call, Expr, List, MapLiteral } from '../ast/expr.ts';
import { childrenOf } from '../ast/visit.ts';
import type { Validator } from '../functions/library.ts';
import type { Issue } from '../parser/source.ts';
import { compileRegex } from '../stdlib/strings.ts';
import { formatType } from '../types/format.ts';
import { sameType, type Type } from '../types/type.ts';
import { parseDuration, parseTimestamp, timestampOfSeconds } from '../values/time.ts';
import { CelError, type Value } from '../values/value.ts';

type Report = (id: number, message: string) => void;

/**
 * Reports errors that the type check does not find: invalid durations, times and patterns in literals, mixed lists, and library-specific
 * errors.
 */
export function validate(checked: CheckedExpr, positions: readonly number[], more: readonly Validator[]): Issue[] {
  const issues: Issue[] = [];
  const report: Report = (id, message) => issues.push({ offset: positions[id] ?? -1, message });
  const visit = (expr: Expr, exempt: boolean): void => {
    if (expr.kind === 'call') validateCall(expr, report);
    if (expr.kind === 'list' && !exempt) validateList(expr, checked, report);
    if (expr.kind === 'map' && !exempt) validateMap(expr, checked, report);
    for (const validator of more) validator(expr, report, checked.types);
    const within = exempt || (expr.kind === 'call' && expr.name === 'format');
    for (const child of childrenOf(expr)) visit(child, within);
  };
  visit(checked.expr, false);
  return issues;
}

const literalChecks: ReadonlyMap<string, (value: Value) => boolean> = new Map([
  ['duration', (value) => typeof value !== 'string' || parseDuration(value) !== undefined],
  ['timestamp', isTimestamp],
  ['matches', (value) => typeof value !== 'string' || !(compileRegex(value) instanceof CelError)],
]);

function isTimestamp(value: Value): boolean {
  if (typeof value === 'bigint') return timestampOfSeconds(value) !== undefined;
  return typeof value !== 'string' || parseTimestamp(value) !== undefined;
}

/** Checks only the first argument, like upstream, even if `matches` is called without a target. */
function validateCall({ name, args }: Call, report: Report): void {
  const [arg] = args;
  if (arg?.kind !== 'literal') return;
  if (literalChecks.get(name)?.(arg.value) === false) report(arg.id, `invalid ${name} argument`);
}

function validateList({ elements, optional }: List, { types }: CheckedExpr, report: Report): void {
  let first: Type | undefined;
  for (const [i, element] of elements.entries()) {
    const type = optional.includes(i) ? types[element.id]?.params[0] : types[element.id];
    first ??= type;
    if (!agree(element.id, first, type, report)) return;
  }
}

function validateMap({ entries }: MapLiteral, { types }: CheckedExpr, report: Report): void {
  let firstKey: Type | undefined;
  let firstValue: Type | undefined;
  for (const { key, value, optional } of entries) {
    const [keyType, valueType] = [types[key.id], optional ? types[value.id]?.params[0] : types[value.id]];
    firstKey ??= keyType;
    firstValue ??= valueType;
    agree(key.id, firstKey, keyType, report);
    agree(value.id, firstValue, valueType, report);
  }
}

function agree(id: number, expected: Type | undefined, found: Type | undefined, report: Report): boolean {
  if (!expected || !found || sameType(expected, found)) return true;
  report(id, `expected type '${formatType(expected)}' but found '${formatType(found)}'`);
  return false;
}
