import { expect, test } from 'vitest';
import { parseQuery } from './parse-query.ts';

test.each([
  [
    'a=1&b=2',
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
  ['a=%zz&b=2', [['b', '2']]],
  ['a=%&b=%4', []],
  ['%zz=1&b=%20+x', [['b', '  x']]],
  ['a=1;c=3&b=2', [['b', '2']]],
  ['a=1%3Bc=3', [['a', '1;c=3']]],
  ['', []],
])('parses the query %s', (text, pairs) => {
  expect([...parseQuery(text)]).toEqual(pairs);
});
