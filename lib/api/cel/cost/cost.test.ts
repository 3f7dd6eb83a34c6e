import { describe, expect, test } from 'vitest';
import { CompileError, compile } from '../compile.ts';
import { environment } from '../environment.ts';
import { costLimitExceeded } from '../interpreter/frame.ts';
import { activationOf, program } from '../program.ts';
import { optional } from '../stdlib/optional.ts';
import { standard } from '../stdlib/standard.ts';
import { twoVariables } from '../stdlib/two-variables.ts';
import { intType, listType, mapType, stringType } from '../types/type.ts';
import { listOf } from '../values/list.ts';
import { mapOf } from '../values/map.ts';
import { CelError } from '../values/value.ts';
import { estimateCost } from './cost.ts';
import { type CostEstimator, maxEstimate } from './estimate.ts';

const estimator: CostEstimator = {
  estimateSize: ({ path }) => {
    if (path.join('.') === 'items') return { min: 0, max: 10 };
    return path.join('.') === 'items.@items' ? { min: 0, max: 50 } : undefined;
  },
};

const env = environment({
  libraries: [standard, optional, twoVariables],
  variables: { x: intType, s: stringType, items: listType(stringType), m: mapType(stringType, stringType) },
  estimator,
});

function compiled(text: string) {
  const result = compile(text, env);
  if (result instanceof CompileError) throw new Error(result.message);
  return result.checked;
}

function run(text: string, limit?: number) {
  const prepared = program(compiled(text), env);
  if (prepared instanceof CelError) throw new Error(prepared.message);
  const items = listOf(['one', 'two', 'three']);
  return prepared.evaluate(activationOf({ x: 3n, s: 'twelve chars', items, m: mapOf([['a', 'b']]) }), limit);
}

describe('estimates of expression costs', () => {
  test.each([
    ['1', 0, 0],
    ['x', 1, 1],
    ['m.a', 2, 2],
    ['has(m.a)', 1, 1],
    ['x == 1', 2, 2],
    ["s == 'abc'", 2, 2],
    ['items == items', 3, 3],
    ['x > 1 && x < 5', 2, 4],
    ['x > 1 ? x : 0', 2, 3],
    ["s.startsWith('abc')", 2, 2],
    ['s.startsWith(s)', 2, 2 + maxEstimate * 0.1],
    ["'abc' in items", 1, 11],
    ['[x, x]', 12, 12],
    ["{'a': x}", 31, 31],
    ["items.all(i, i == 'abc')", 2, 52],
    ['items.all(i, i.startsWith(i))', 2, 102],
    ['items.map(i, i).size()', 13, 143],
    ["items.exists(i, i.matches('a+'))", 2, 112],
    ["m[?'a'].orValue('b')", 3, 3],
  ])('estimates %s at %d to %d', (text, min, max) => {
    expect(estimateCost(compiled(text), estimator)).toEqual({ min, max });
  });
});

describe('run-time costs of expressions', () => {
  test.each([
    ['1 + 2', 1],
    ['x', 1],
    ['m.a', 2],
    ['has(m.a)', 1],
    ["s == 'twelve chars'", 3],
    ["s.matches('[a-z ]+')", 5],
    ["'two' in items", 4],
    ["s in ['a', 'b']", 1],
    ["items.exists(i, i == 'two')", 17],
    ['items.map(i, i)', 41],
    ["duration('1h') > duration('1m')", 1],
    ['x > 2 ? x : 0', 2],
    ["m.?b.orValue('c')", 1],
    ["m.?a.orValue('c')", 2],
  ])('charges for %s exactly %d', (text, cost) => {
    expect(run(text).cost).toBe(cost);
  });

  test('ends an evaluation that exceeds its limit', () => {
    const { value, cost } = run('items.all(a, items.all(b, items.all(c, a + b + c != s)))', 50);
    expect(value).toBe(costLimitExceeded);
    expect(cost).toBeLessThan(60);
  });
});

describe('patterns computed from values', () => {
  test.each([
    ['the same again costs nothing more', 'items.all(i, !i.matches(s + "{1,9}"))', 20_000, false],
    ['a short text that repeats much', 's.matches("(((" + "a{10}){10}){9})")', undefined, true],
    [
      'many patterns',
      '[1,2,3,4,5,6,7,8,9].all(a, [1,2,3,4,5,6,7,8,9].all(b, [1,2,3,4,5,6,7,8,9].all(c, !s.matches(string(a)+string(b)+string(c)+"[a-z]{1,63}$"))))',
      1_000_000,
      true,
    ],
    ['a constant is compiled once for all evaluations', 's.matches("[a-z ]{1,63}$")', 100, false],
  ] as const)('charges for a pattern: %s', (_, text, limit, exceeds) => {
    expect(run(text, limit ?? 20_000).value === costLimitExceeded).toBe(exceeds);
  });
});
