import type { Expr } from '../ast/expr.ts';
import type { Validator } from '../functions/library.ts';
import type { Kind, Type } from '../types/type.ts';
import { CelError, error } from '../values/value.ts';
import { type Clause, formatWith } from './format-clauses.ts';

type Types = readonly (Type | undefined)[];

/** Checks `string.format` if both the format and the argument list are literals. Compares the clauses with the arguments' types. */
export const formatValidator: Validator = (expr, report, types) => {
  if (expr.kind !== 'call' || expr.name !== 'format' || expr.args.length !== 1) return;
  const [list] = expr.args;
  if (list?.kind !== 'list' || expr.target?.kind !== 'literal' || typeof expr.target.value !== 'string') return;
  let requested = 0;
  let at = expr.id;
  const result = formatWith(expr.target.value, list.elements.length, (clause, index) => {
    requested++;
    const fault = clauseFault(clause, list.elements[index] as Expr, types);
    if (fault === undefined) return '';
    at = fault.id;
    return error(fault.message);
  });
  if (result instanceof CelError) report(at, result.message);
  else if (list.elements.length > requested) {
    const counts = `expected ${requested}, got ${list.elements.length}`;
    report(expr.id, `too many arguments supplied to string.format (${counts})`);
  }
};

const INTEGERS: readonly Kind[] = ['int', 'uint'];
const REALS: readonly Kind[] = ['double', 'string'];
const PLAIN: readonly Kind[] = [
  ...INTEGERS,
  ...REALS,
  'list',
  'map',
  'bool',
  'timestamp',
  'bytes',
  'duration',
  'type',
  'null',
];

/** The kinds of arguments that each verb accepts, and upstream's error for any other. */
const VERBS: Readonly<Record<string, readonly [kinds: readonly Kind[], message: string]>> = {
  d: [INTEGERS, 'decimal clause can only be used on integers'],
  f: [REALS, 'fixed-point clause can only be used on doubles'],
  e: [REALS, 'scientific clause can only be used on doubles'],
  b: [[...INTEGERS, 'bool'], 'only integers and bools can be formatted as binary'],
  x: [[...INTEGERS, 'string', 'bytes'], 'only integers, byte buffers, and strings can be formatted as hex'],
  X: [[...INTEGERS, 'string', 'bytes'], 'only integers, byte buffers, and strings can be formatted as hex'],
  o: [INTEGERS, 'octal clause can only be used on integers'],
  s: [
    PLAIN,
    'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  ],
};

interface Fault {
  readonly id: number;
  readonly message: string;
}

function clauseFault({ verb }: Clause, arg: Expr, types: Types): Fault | undefined {
  const [kinds = PLAIN, message = ''] = VERBS[verb] ?? [];
  const wrong = verb === 's' ? unprintable(arg, types) : fits(arg, kinds, types) ? undefined : arg;
  if (wrong === undefined) return undefined;
  return { id: wrong.id, message: `${message}, was given ${types[wrong.id]?.name ?? 'dyn'}` };
}

function fits(expr: Expr, kinds: readonly Kind[], types: Types): boolean {
  const kind = types[expr.id]?.kind ?? 'dyn';
  return kind === 'dyn' || kinds.includes(kind);
}

/** Returns the argument, or a part of it, that cannot be formatted. */
function unprintable(expr: Expr, types: Types): Expr | undefined {
  if (!fits(expr, PLAIN, types)) return expr;
  const parts =
    expr.kind === 'list'
      ? expr.elements
      : expr.kind === 'map'
        ? expr.entries.flatMap(({ key, value }) => [key, value])
        : [];
  for (const part of parts) {
    const wrong = unprintable(part, types);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
