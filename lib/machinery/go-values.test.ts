import { expect, test } from 'vitest';
import { goType, goValue } from './go-values.ts';
import type { Json } from './json-value.ts';

test.each<[Json, string, string]>([
  [null, '%!s(<nil>)', '<nil>'],
  ['a b', 'string', 'a b'],
  [true, 'bool', 'true'],
  [1_000_000, 'int64', '1000000'],
  [9_007_199_254_740_993n, 'int64', '9007199254740993'],
  [1.2345678901234567e19, 'float64', '1.2345678901234567e+19'],
  [0.5, 'float64', '0.5'],
  [['a', 1], '[]interface {}', '[a 1]'],
  [{ b: [null], a: { c: 1 } }, 'map[string]interface {}', 'map[a:map[c:1] b:[<nil>]]'],
])('names %o a %s and prints it as %s', (value, type, printed) => {
  expect([goType(value), goValue(value)]).toEqual([type, printed]);
});
