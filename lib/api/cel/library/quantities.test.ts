import { describe, expect, test } from 'vitest';
import { evaluated } from '../testing/evaluated.ts';

/** An expression, its result in upstream 1.36, and its cost there. */
const cases: readonly (readonly [string, unknown, number])[] = [
  ['isQuantity("")', false, 0],
  ['isQuantity("+1")', true, 1],
  ['isQuantity(" 1")', false, 1],
  ['isQuantity("abc")', false, 1],
  [
    'quantity("").add(quantity("1")).isInteger()',
    { error: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'" },
    3,
  ],
  [
    'quantity("").compareTo(quantity("1500m"))',
    { error: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'" },
    2,
  ],
  [
    'quantity("").isInteger()',
    { error: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'" },
    1,
  ],
  ['quantity("+1").add(quantity("0")).isInteger()', true, 4],
  ['quantity("-1").compareTo(quantity("0"))', -1, 3],
  ['quantity("-1").compareTo(quantity("1500m"))', -1, 3],
  ['quantity("-1").sub(quantity("0")).asApproximateFloat()', -1.0, 4],
  ['quantity("-1").sub(quantity("1500m")).asApproximateFloat()', -2.5, 4],
  ['quantity("0") == quantity("-1")', false, 3],
  ['quantity("0") == quantity("10000000000000000000")', false, 4],
  ['quantity("0") == quantity("1e3")', false, 3],
  ['quantity("0.1n").add(quantity("0")).isInteger()', false, 4],
  ['quantity("0.1n").add(quantity("1")).isInteger()', false, 4],
  ['quantity("0.1n").add(quantity("1500m")).isInteger()', false, 4],
  ['quantity("0.5").add(3).asInteger()', { error: 'cannot convert value to integer' }, 3],
  ['quantity("0.5").compareTo(quantity("1"))', -1, 3],
  ['quantity("0.5").compareTo(quantity("1500m"))', -1, 3],
  ['quantity("0.5").sub(quantity("1500m")).asApproximateFloat()', -1.0, 4],
  ['quantity("1") == quantity("1")', true, 3],
  ['quantity("1.5Ki").add(3).asInteger()', { error: 'cannot convert value to integer' }, 3],
  ['quantity("10000000000000000000").add(quantity("0")).isInteger()', false, 5],
  ['quantity("10000000000000000000").add(quantity("1")) == quantity("0")', false, 6],
  ['quantity("100Ei").add(quantity("0")).isInteger()', false, 4],
  ['quantity("12345678901234567890m").add(quantity("1500m")).isInteger()', false, 6],
  ['quantity("1500m") == quantity("1k")', false, 3],
  ['quantity("1500m").compareTo(quantity("1"))', 1, 3],
  ['quantity("1500m").sub(quantity("1500m")).asApproximateFloat()', 0.0, 4],
  ['quantity("1E").asApproximateFloat()', 1e18, 2],
  ['quantity("1Ei").add(quantity("0")).isInteger()', false, 4],
  ['quantity("1Ei").compareTo(quantity("1500m"))', 1, 3],
  ['quantity("1Ki").add(3).asInteger()', 1027, 3],
  ['quantity("1Ki").compareTo(quantity("0"))', 1, 3],
  ['quantity("1Ki").compareTo(quantity("1"))', 1, 3],
  ['quantity("1e-3").sub(quantity("1")).asApproximateFloat()', -0.999, 4],
  ['quantity("1e3").compareTo(quantity("1500m"))', 1, 3],
  ['quantity("1e3").sub(quantity("1500m")).asApproximateFloat()', 998.5, 4],
  ['quantity("1k").asInteger()', 1000, 2],
  ['quantity("1k").sub(quantity("1")).asApproximateFloat()', 999.0, 4],
  ['quantity("1n").add(quantity("1")) == quantity("1500m")', false, 5],
  ['quantity("1n").sub(quantity("0")).asApproximateFloat()', 1e-9, 4],
  ['quantity("2") in [quantity("2")]', true, 13],
  [
    'quantity("abc").add(quantity("0")).isInteger()',
    { error: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'" },
    4,
  ],
];

describe('library of quantities', () => {
  test.each(cases)('evaluates the expression %s', (expression, value, cost) => {
    expect(evaluated(expression)).toEqual({ value, cost });
  });
});
