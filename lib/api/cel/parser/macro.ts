import type { Expr } from '../ast/expr.ts';
import type { ExprFactory } from '../ast/factory.ts';

/** A misuse of a macro, reported at the node (the macro's own if absent). */
export class MacroError {
  readonly message: string;
  readonly at: Expr | undefined;

  constructor(message: string, at?: Expr) {
    this.message = message;
    this.at = at;
  }
}

/** A call that the parser replaces with another expression. Undefined leaves the call unchanged. */
export interface Macro {
  readonly name: string;
  /** Called on a target: `target.name(args)`. */
  readonly receiver: boolean;
  /** The number of arguments; undefined for any number. */
  readonly argCount: number | undefined;
  expand(factory: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | MacroError | undefined;
}
