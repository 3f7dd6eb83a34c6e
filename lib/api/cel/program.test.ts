import { expect, test } from 'vitest';
import { CompileError, compile } from './compile.ts';
import { environment } from './environment.ts';
import { activationOf, program } from './program.ts';
import { optional } from './stdlib/optional.ts';
import { standard } from './stdlib/standard.ts';
import { dynType, intType } from './types/type.ts';
import { listOf } from './values/list.ts';
import { CelError } from './values/value.ts';

const env = environment({ libraries: [standard, optional], variables: { x: intType, d: dynType, gone: intType } });

function run(text: string) {
  const compiled = compile(text, env);
  if (compiled instanceof CompileError) return compiled.message;
  const prepared = program(compiled.checked, env);
  if (prepared instanceof CelError) return `program: ${prepared.message}`;
  const { value } = prepared.evaluate(activationOf({ x: 2n ** 63n - 1n, d: listOf([1n]) }));
  return value instanceof CelError ? value.message : value;
}

test.each([
  ['x + 1', 'integer overflow'],
  ['0u - 1u', 'unsigned integer overflow'],
  ['1 / (x - x)', 'division by zero'],
  ['1 % (x - x)', 'modulus by zero'],
  ['d[3]', 'index out of bounds: 3'],
  ["{'a': 1}.b", 'no such key: b'],
  ["d + 'a'", 'no such overload'],
  ['d.a', "unsupported index type 'string' in list"],
  ['gone', 'no such attribute(s): gone'],
  ['optional.none().value()', 'optional.none() dereference'],
  ["int('x')", "program: type conversion error from 'string' to 'int'"],
  ['int(1e20)', 'program: integer overflow'],
])('evaluates %s to the error: %s', (text, message) => {
  expect(run(text)).toBe(message);
});

test.each([
  ['1 / (x - x) == 1 || true', true],
  ['false && d[3] == 1', false],
  ['[1, 2, 3].exists(i, i / (i - 2) < 0)', true],
  ["string(timestamp('2020-01-01T01:00:00+01:00'))", '2020-01-01T01:00:00+01:00'],
  ['string(1000000.0)', '1e+06'],
  ["timestamp('2020-07-01T00:00:00Z').getHours('Europe/Paris')", 2n],
  ["{?'a': optional.none(), 'b': 1}.size()", 1n],
])('evaluates %s to %s', (text, value) => {
  expect(run(text)).toBe(value);
});
