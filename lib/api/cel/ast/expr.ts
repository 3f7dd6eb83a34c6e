import type { Value } from '../values/value.ts';

/** A node of an expression. Ids are unique within one expression. Types, references and positions are stored by id. */
export type Expr = Literal | Ident | Select | Call | List | MapLiteral | Struct | Comprehension;

/** A constant, such as `1` or `'a'`. */
export interface Literal {
  readonly kind: 'literal';
  readonly id: number;
  readonly value: Value;
}
/** A name, such as `self`. */
export interface Ident {
  readonly kind: 'ident';
  readonly id: number;
  readonly name: string;
}
/** `operand.field`. With testOnly, the expansion of `has(operand.field)`. */
export interface Select {
  readonly kind: 'select';
  readonly id: number;
  readonly operand: Expr;
  readonly field: string;
  readonly testOnly: boolean;
}
/** A call, `target.name(args)` or `name(args)`. Operators are calls too. */
export interface Call {
  readonly kind: 'call';
  readonly id: number;
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}
/** A list literal. */
export interface List {
  readonly kind: 'list';
  readonly id: number;
  readonly elements: readonly Expr[];
  /** Indices of elements written `?x`. */
  readonly optional: readonly number[];
}
/** A map literal. */
export interface MapLiteral {
  readonly kind: 'map';
  readonly id: number;
  readonly entries: readonly MapEntry[];
}
/** One entry of a map literal; optional if written `?key: value`. */
export interface MapEntry {
  readonly id: number;
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}
/** A message literal, `Type{field: value}`. */
export interface Struct {
  readonly kind: 'struct';
  readonly id: number;
  readonly typeName: string;
  readonly fields: readonly StructField[];
}
/** One field of a message literal; optional if written `?field: value`. */
export interface StructField {
  readonly id: number;
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}
/** A fold of iterRange into accuVar. Every comprehension macro expands to one. */
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
