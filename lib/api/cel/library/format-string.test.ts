import { describe, expect, test } from 'vitest';
import { evaluated } from '../testing/evaluated.ts';

/** An expression, its result in upstream 1.36, and its cost there. */
const cases: readonly (readonly [string, unknown, number])[] = [
  ['"%.0f".format([2.5])', '2', 1],
  ['"%.0f".format([dyn(2.5)])', '2', 1],
  ['"%.2f".format([1.005])', '1.00', 1],
  ['"%.2f".format([12345.678])', '12,345.68', 1],
  ['"%.2f".format([dyn(12345.678)])', '12,345.68', 1],
  ['"%.3e".format([dyn(1052.03)])', '1.052030×10⁰³', 1],
  ['"%X".format(["hello"])', '68656C6C6F', 1],
  ['"%X".format([255])', 'FF', 1],
  ['"%X".format([dyn(255)])', 'FF', 1],
  ['"%b".format([-5])', '-101', 1],
  ['"%b".format([5u])', '101', 1],
  ['"%b".format([dyn(-5)])', '-101', 1],
  ['"%b".format([dyn(true)])', '1', 1],
  ['"%b".format([true])', '1', 1],
  ['"%d".format([1])', '1', 1],
  ['"%d".format([dyn(1)])', '1', 1],
  [
    '"%d".format([dyn(1.5)])',
    { error: 'error during formatting: decimal clause can only be used on integers, was given double' },
    1,
  ],
  ['"%d".format([dyn(2u)])', '2', 1],
  ['"%e".format([-2.0e-7])', '-2.000000×10⁻⁰⁷', 1],
  ['"%e".format([1.5])', '1.500000×10⁰⁰', 1],
  ['"%e".format([1e300])', '1.000000×10³⁰⁰', 1],
  ['"%e".format([dyn(0.0)])', '0.000000×10⁰⁰', 1],
  [
    '"%e".format([dyn(1)])',
    { error: 'error during formatting: scientific clause can only be used on doubles, was given int' },
    1,
  ],
  ['"%e".format([dyn(1.5)])', '1.500000×10⁰⁰', 1],
  ['"%e".format([dyn(1052.032911275)])', '1.052033×10⁰³', 1],
  ['"%e".format([dyn(1e300)])', '1.000000×10³⁰⁰', 1],
  ['"%f".format(["Infinity"])', '∞', 1],
  ['"%f".format(["NaN"])', 'NaN', 1],
  ['"%f".format([-1.0/0.0])', '-∞', 12],
  ['"%f".format([1.0/0.0])', '∞', 12],
  ['"%f".format([dyn("Infinity")])', '∞', 1],
  [
    '"%f".format([dyn(1)])',
    { error: 'error during formatting: fixed-point clause can only be used on doubles, was given int' },
    1,
  ],
  ['"%f".format([dyn(1.0/0.0)])', '∞', 13],
  ['"%f".format([dyn(1.5)])', '1.500000', 1],
  ['"%o".format([-8])', '-10', 1],
  ['"%o".format([dyn(-8)])', '-10', 1],
  ['"%o".format([dyn(8)])', '10', 1],
  ['"%o".format([dyn(8u)])', '10', 1],
  ['"%s".format([0.1])', '0.1', 1],
  ['"%s".format([1.5])', '1.5', 1],
  ['"%s".format([1000000.0])', '1e+06', 1],
  ['"%s".format([2u])', '2', 1],
  ['"%s".format([dyn("x")])', 'x', 1],
  ['"%s".format([dyn(0.1)])', '0.1', 1],
  [
    '"%s".format([dyn(optional.of(1))])',
    {
      error:
        'error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given optional_type',
    },
    13,
  ],
  ['"%s".format([dyn(true)])', 'true', 1],
  [
    '"%s".format([dyn(url("http://x"))])',
    {
      error:
        'error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given kubernetes.URL',
    },
    13,
  ],
  ['"%s".format([dyn({true:1})])', '{true:1}', 1],
  ['"%s".format([int])', 'int', 1],
  ['"%s".format([null])', 'null', 1],
  ['"%s".format([timestamp("2021-01-01T00:00:00Z")])', '2021-01-01T00:00:00Z', 1],
  ['"%s".format([type(1)])', 'int', 1],
  ['"%s".format([{1:2}])', '{1:2}', 1],
  ['"%s".format([{2u:timestamp("2021-01-01T00:00:00Z")}])', '{2:timestamp("2021-01-01T00:00:00Z")}', 1],
  ['"%x".format(["hello"])', '68656c6c6f', 1],
  ['"%x".format([255u])', 'ff', 1],
  ['"%x".format([b"\\xff"])', 'ff', 1],
  ['"%x".format([dyn("hello")])', '68656c6c6f', 1],
  ['"%x".format([dyn(-255)])', '-ff', 1],
  ['"%x".format([dyn(b"\\xff")])', 'ff', 1],
];

describe('the function string.format', () => {
  test.each(cases)('evaluates the expression %s', (expression, value, cost) => {
    expect(evaluated(expression)).toEqual({ value, cost });
  });
});
