import type { Expr } from '../ast/expr.ts';
import { accumulator, type ExprFactory } from '../ast/factory.ts';
import { type Macro, MacroError } from '../parser/macro.ts';
import { operators } from '../parser/operators.ts';

/** The accumulator of a comprehension and its steps, shared by macros with one and with two variables. */
export interface Fold {
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

type Quantifier = (factory: ExprFactory, predicate: Expr) => Fold;

/** The folds of `all`, `exists` and `existsOne`. */
export const quantifiers: Readonly<Record<'all' | 'exists' | 'existsOne', Quantifier>> = {
  all: (f, predicate) => ({
    init: f.literal(true),
    condition: f.call(operators.notStrictlyFalse, f.accumulator()),
    step: f.call(operators.and, f.accumulator(), predicate),
    result: f.accumulator(),
  }),
  exists: (f, predicate) => ({
    init: f.literal(false),
    condition: f.call(operators.notStrictlyFalse, f.call(operators.not, f.accumulator())),
    step: f.call(operators.or, f.accumulator(), predicate),
    result: f.accumulator(),
  }),
  existsOne: (f, predicate) => ({
    init: f.literal(0n),
    condition: f.literal(true),
    step: f.call(
      operators.conditional,
      predicate,
      f.call(operators.add, f.accumulator(), f.literal(1n)),
      f.accumulator(),
    ),
    result: f.call(operators.equals, f.accumulator(), f.literal(1n)),
  }),
};

/** Collects the results of the transform for elements that pass the filter. */
export function collect(f: ExprFactory, filter: Expr | undefined, transform: Expr): Fold {
  const added = f.call(operators.add, f.accumulator(), f.list(transform));
  return {
    init: f.list(),
    condition: f.literal(true),
    step: filter ? f.call(operators.conditional, filter, added, f.accumulator()) : added,
    result: f.accumulator(),
  };
}

/** Returns the variable name in an argument. */
export function variableName(arg: Expr | undefined, fault: string): string | MacroError {
  if (arg?.kind !== 'ident') return new MacroError(fault, arg);
  const taken = arg.name === accumulator || arg.name === '__result__';
  return taken ? new MacroError('iteration variable overwrites accumulator variable', arg) : arg.name;
}

function overRange(name: string, argCount: number, fault: string, fold: FoldOf): Macro {
  return {
    name,
    receiver: true,
    argCount,
    expand: (factory, target, [variable, ...rest]) => {
      const iterVar = variableName(variable, fault);
      if (iterVar instanceof MacroError || !target || !variable)
        return iterVar instanceof MacroError ? iterVar : undefined;
      return comprehension(factory, target, { iterVar, iterVar2: undefined }, fold(factory, variable, rest));
    },
  };
}

type FoldOf = (factory: ExprFactory, variable: Expr, rest: readonly Expr[]) => Fold;

/** Builds the comprehension of a fold. */
export function comprehension(
  factory: ExprFactory,
  iterRange: Expr,
  variables: { readonly iterVar: string; readonly iterVar2: string | undefined },
  { init, condition, step, result }: Fold,
): Expr {
  const parts = { accuVar: accumulator, accuInit: init, loopCondition: condition, loopStep: step, result };
  return factory.comprehension({ iterRange, ...variables, ...parts });
}

const simpleName = 'argument must be a simple name';
const notIdentifier = 'argument is not an identifier';

function quantified(kind: keyof typeof quantifiers): FoldOf {
  return (f, _variable, [predicate]) => quantifiers[kind](f, predicate ?? f.literal(null));
}

const has: Macro = {
  name: 'has',
  receiver: false,
  argCount: 1,
  expand: (factory, _target, [arg]) =>
    arg?.kind === 'select'
      ? factory.select(arg.operand, arg.field, true)
      : new MacroError('invalid argument to has() macro', arg),
};

/** The macros of the language itself. */
export const standardMacros: readonly Macro[] = [
  has,
  overRange('all', 2, simpleName, quantified('all')),
  overRange('exists', 2, simpleName, quantified('exists')),
  overRange('exists_one', 2, simpleName, quantified('existsOne')),
  overRange('existsOne', 2, simpleName, quantified('existsOne')),
  overRange('map', 2, notIdentifier, (f, _, [transform]) => collect(f, undefined, transform ?? f.literal(null))),
  overRange('map', 3, notIdentifier, (f, _, [filter, transform]) => collect(f, filter, transform ?? f.literal(null))),
  overRange('filter', 2, notIdentifier, (f, variable, [filter]) => collect(f, filter, variable)),
];
