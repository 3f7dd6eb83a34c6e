import type { Expr } from '#lib/api/cel/ast/expr.ts';
import { childrenOf } from '#lib/api/cel/ast/visit.ts';
import { CompileError, compile } from '#lib/api/cel/compile.ts';
import { environment } from '#lib/api/cel/environment.ts';
import { baseEnvironment } from '#lib/api/cel/library/base-environment.ts';
import { PER_CALL_LIMIT } from '#lib/api/cel/library/limits.ts';
import { activationOf, program } from '#lib/api/cel/program.ts';
import { formatType } from '#lib/api/cel/types/format.ts';
import { dynType, listType, mapType, objectType, sameType, stringType, type Type } from '#lib/api/cel/types/type.ts';
import { CelError, type Result, type Value } from '#lib/api/cel/values/value.ts';

/** An expression over the claims or over the resulting user. */
export interface Expression {
  readonly text: string;
  evaluate(value: Value): Result;
  /** Whether the expression uses this claim. */
  reads(claim: string): boolean;
}

export type Over = 'claims' | 'user';

const USER = objectType('kubernetes.UserInfo');
const FIELDS: Readonly<Record<string, Type>> = {
  username: stringType,
  uid: stringType,
  groups: listType(stringType),
  extra: mapType(stringType, listType(stringType)),
};
const TYPES = {
  findType: (name: string) => (name === USER.name ? USER : undefined),
  findField: (type: string, field: string) =>
    type === USER.name && Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined,
};
const VARIABLES = { claims: mapType(stringType, dynType), user: USER };

/** Compiles an expression, optionally with a required result type. Returns the error message if it is invalid. */
export function compileExpression(text: string, over: Over, result?: Type): Expression | string {
  const env = environment({ variables: { [over]: VARIABLES[over] }, types: TYPES }, baseEnvironment());
  const compiled = compile(text, env);
  if (compiled instanceof CompileError) return `compilation failed: ${compiled.message}`;
  const { checked, type } = compiled;
  if (result !== undefined && !sameType(result, type)) return `must evaluate to ${formatType(result)}`;
  const made = program(checked, env);
  if (made instanceof CelError) return `program instantiation failed: ${made.message}`;
  return {
    text,
    evaluate: (value) => made.evaluate(activationOf({ [over]: value }), PER_CALL_LIMIT).value,
    reads: (claim) => selects(checked.expr, claim),
  };
}

function selects(expr: Expr, claim: string): boolean {
  return isSelection(expr, claim) || childrenOf(expr).some((child) => selects(child, claim));
}

function isSelection(expr: Expr, claim: string): boolean {
  if (expr.kind === 'select') return isClaims(expr.operand) && expr.field === claim;
  if (expr.kind !== 'call' || expr.name !== '_?._') return false;
  const [operand, field] = expr.args;
  return operand !== undefined && isClaims(operand) && field?.kind === 'literal' && field.value === claim;
}

const isClaims = (expr: Expr): boolean => expr.kind === 'ident' && expr.name === 'claims';
