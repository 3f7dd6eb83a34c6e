/** The functions that operators call. */
export const operators = {
  conditional: '_?_:_',
  and: '_&&_',
  or: '_||_',
  not: '!_',
  negate: '-_',
  equals: '_==_',
  notEquals: '_!=_',
  less: '_<_',
  lessEquals: '_<=_',
  greater: '_>_',
  greaterEquals: '_>=_',
  add: '_+_',
  subtract: '_-_',
  multiply: '_*_',
  divide: '_/_',
  modulo: '_%_',
  index: '_[_]',
  optIndex: '_[?_]',
  optSelect: '_?._',
  in: '@in',
  notStrictlyFalse: '@not_strictly_false',
} as const;

/** Binary operators by symbol; a higher precedence binds tighter. */
export type Operators = ReadonlyMap<string, { readonly name: string; readonly precedence: number }>;

/** Relations by their tokens. All have equal precedence. */
export const relations: Operators = new Map([
  ['<', { name: operators.less, precedence: 1 }],
  ['<=', { name: operators.lessEquals, precedence: 1 }],
  ['>=', { name: operators.greaterEquals, precedence: 1 }],
  ['>', { name: operators.greater, precedence: 1 }],
  ['==', { name: operators.equals, precedence: 1 }],
  ['!=', { name: operators.notEquals, precedence: 1 }],
  ['in', { name: operators.in, precedence: 1 }],
]);
/** Arithmetic operators by their tokens. A higher precedence binds tighter. */
export const calculations: Operators = new Map([
  ['*', { name: operators.multiply, precedence: 2 }],
  ['/', { name: operators.divide, precedence: 2 }],
  ['%', { name: operators.modulo, precedence: 2 }],
  ['+', { name: operators.add, precedence: 1 }],
  ['-', { name: operators.subtract, precedence: 1 }],
]);

/** Words that cannot be variable names, but may be field names. */
export const reserved: ReadonlySet<string> = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(
    ' ',
  ),
);
