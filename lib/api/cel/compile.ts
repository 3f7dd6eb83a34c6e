import type { CheckedExpr } from './ast/checked.ts';
import { check } from './checker/checker.ts';
import { validate } from './checker/validate.ts';
import type { Environment } from './environment.ts';
import { parse } from './parser/parser.ts';
import { displayIssues, type Issue } from './parser/source.ts';
import { dynType, type Type } from './types/type.ts';

/** A compiled expression and its result type. */
export interface Compiled {
  readonly checked: CheckedExpr;
  /** The type of the expression's result. */
  readonly type: Type;
}

/** The error of an expression that does not compile. Contains cel-go's display of all errors with their positions. */
export class CompileError {
  readonly message: string;
  readonly issues: readonly Issue[];

  constructor(text: string, issues: readonly Issue[]) {
    this.message = displayIssues(text, issues);
    this.issues = issues;
  }
}

/** Parses, checks and validates an expression. */
export function compile(text: string, environment: Environment): Compiled | CompileError {
  const parsed = parse(text, environment);
  if (parsed.issues.length > 0) return new CompileError(text, parsed.issues);
  const checked = check(parsed.expr, parsed.positions, environment);
  const issues = checked.issues.length > 0 ? checked.issues : validated(checked, parsed.positions, environment);
  if (issues.length > 0) return new CompileError(text, issues);
  return { checked, type: checked.types[parsed.expr.id] ?? dynType };
}

function validated(checked: CheckedExpr, positions: readonly number[], environment: Environment): readonly Issue[] {
  return environment.homogeneousLiterals ? validate(checked, positions, environment.validators) : [];
}
