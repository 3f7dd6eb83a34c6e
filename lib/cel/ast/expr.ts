import type { Value } from '../values/value.ts';

/** A node of an expression. Ids are unique within one expression; types, references and positions are kept by id. */
export type Expr = Literal | Ident | Select | Call | List | MapLiteral | Struct | Comprehension;

export interface Literal {
  readonly kind: 'literal';
  readonly id: number;
  readonly value: Value;
}
export interface Ident {
  readonly kind: 'ident';
  readonly id: number;
  readonly name: string;
}
/** `operand.field`, or with testOnly what `has(operand.field)` becomes. */
export interface Select {
  readonly kind: 'select';
  readonly id: number;
  readonly operand: Expr;
  readonly field: string;
  readonly testOnly: boolean;
}
export interface Call {
  readonly kind: 'call';
  readonly id: number;
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}
export interface List {
  readonly kind: 'list';
  readonly id: number;
  readonly elements: readonly Expr[];
  /** Indices of elements written `?x`. */
  readonly optional: readonly number[];
}
export interface MapLiteral {
  readonly kind: 'map';
  readonly id: number;
  readonly entries: readonly MapEntry[];
}
export interface MapEntry {
  readonly id: number;
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}
export interface Struct {
  readonly kind: 'struct';
  readonly id: number;
  readonly typeName: string;
  readonly fields: readonly StructField[];
}
export interface StructField {
  readonly id: number;
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}
/** What every comprehension macro becomes: a fold of iterRange into accuVar. */
export interface Comprehension {
  readonly kind: 'comprehension';
  readonly id: number;
  readonly iterRange: Expr;
  readonly iterVar: string;
  readonly iterVar2: string | undefined;
  readonly accuVar: string;
  readonly accuInit: Expr;
  readonly loopCondition: Expr;
  readonly loopStep: Expr;
  readonly result: Expr;
}
