import { describe, expect, test } from 'vitest';
import type { Json } from '#lib/machinery/json-value.ts';
import { evaluate } from './evaluate.ts';
import { PathError, parsePath } from './parse.ts';

const value: Json = {
  a: { b: 1, 'x.y': 'dotted' },
  list: [{ name: 'one', n: 1 }, { name: 'two', n: 2 }, { other: true }],
  conditions: [
    { type: 'Ready', status: 'True' },
    { type: 'Old', status: 'False' },
  ],
};

describe('values of a path', () => {
  test.each<[string, Json[]]>([
    ['.a.b', [1]],
    ['.ghost.b', []],
    ['.a', [value['a'] as Json]],
    [".a['b']", [1]],
    ['.a.x\\.y', ['dotted']],
    ['.list[0].name', ['one']],
    ['.list[-1].other', [true]],
    ['.list[*].name', ['one', 'two']],
    ['.list[0:2].n', [1, 2]],
    ['.list[::2].name', ['one']],
    ['.list[0,1].n', [1, 2]],
    ['.conditions[?(@.type=="Ready")].status', ['True']],
    [".conditions[?(@.type=='Old')].status", ['False']],
    ['.list[?(@.n>1)].name', ['two']],
    ['.list[?(@.other)].other', [true]],
    ['..name', ['one', 'two']],
    ['.a.*', [1, 'dotted']],
    ['$.a.b', [1]],
  ])('finds the values of %s', (path, expected) =>
    expect(evaluate(parsePath(path), value, () => {})).toEqual(expected),
  );
});

test.each(['.list[', '.list[x]', '.a[?(@.b==1)', '{', '.....a', ".a['b'", '"open', 'range', `.${'a'.repeat(5000)}`])(
  '%s is no path',
  (path) => expect(() => parsePath(path)).toThrow(PathError),
);

test.each(['.list[9]', '.a[0]', '.list[?(@.name>1)]', '.list[2:1]'])('fails on the value: %s', (path) => {
  expect(() => evaluate(parsePath(path), value, () => {})).toThrow(PathError);
});

describe('cost of an evaluation', () => {
  const nested = (depth: number): Json => Array.from({ length: depth }).reduce<Json>((a) => ({ a }), {});
  const items: Json = { items: Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => 1)) };

  /** Counts steps, and aborts the evaluation above `most`. */
  function stepsOf(path: string, of: Json, most: number): number {
    let steps = 0;
    const spend = (more: number): void => {
      steps += more;
      if (steps > most) throw new RangeError('over budget');
    };
    evaluate(parsePath(path), of, spend);
    return steps;
  }

  test.each<[string, Json, number]>([
    ['.a.b', value, 3],
    ['.conditions[?(@.type=="Ready")].status', value, 14],
    ['..a', nested(430), 862],
    ['.items[*][*]', items, 10_203],
  ])('counts the steps of %s', (path, of, steps) => expect(stepsOf(path, of, 100_000)).toBe(steps));

  test.each<[string, Json]>([
    ['..a..a..a', nested(430)],
    ['..', nested(100_001)],
    ['.*', Array.from({ length: 100_001 }, () => 1)],
    ['[*]', Array.from({ length: 100_001 }, () => 1)],
    ['[?(@.a)]', Array.from({ length: 100_001 }, () => 1)],
    ['[0,0,0,0][0,0,0,0]'.repeat(8), Array.from({ length: 18 }).reduce<Json>((inner) => [inner], 1)],
  ])('stops collecting %s above the budget', (path, of) => {
    expect(() => stepsOf(path, of, 100_000)).toThrow('over budget');
  });
});
