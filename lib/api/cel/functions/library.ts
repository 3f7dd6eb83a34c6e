import type { Expr } from '../ast/expr.ts';
import type { Macro } from '../parser/macro.ts';
import type { Type } from '../types/type.ts';
import type { Value } from '../values/value.ts';
import type { FunctionDeclaration } from './function.ts';

/** A set of declarations. Libraries may add overloads to each other's functions. If two overloads have the same id, the first wins. */
export interface Library {
  readonly name: string;
  readonly functions?: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  /** Named constants, such as an opaque type's name with the type as its value. */
  readonly constants?: readonly Constant[];
  /** Additional checks of well-typed expressions, called for each node. */
  readonly validators?: readonly Validator[];
}

/** Reports errors of a node under its id. `types` contains the types of all nodes by id. */
export type Validator = (
  expr: Expr,
  report: (id: number, message: string) => void,
  types: readonly (Type | undefined)[],
) => void;

/** A named constant with its type. */
export interface Constant {
  readonly name: string;
  readonly type: Type;
  readonly value: Value;
}
