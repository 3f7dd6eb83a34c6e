import { expect, test } from 'vitest';
import type { TopologySelectorTerm } from '#lib/api/types/core.v1.ts';
import { isAllowed } from './topology-selector.ts';

const term = (...expressions: [string, ...string[]][]): TopologySelectorTerm => ({
  matchLabelExpressions: expressions.map(([key, ...values]) => ({ key, values })),
});
const labels = { zone: 'a', rack: '1' };

test.each<[string, TopologySelectorTerm[], boolean]>([
  ['no terms', [], true],
  ['an empty term', [term()], false],
  ['its zone', [term(['zone', 'b', 'a'])], true],
  ['another zone', [term(['zone', 'b'])], false],
  ['its zone and another rack', [term(['zone', 'a'], ['rack', '2'])], false],
  ['one of two terms', [term(['zone', 'b']), term(['rack', '1'])], true],
  ['a label that it lacks', [term(['host', 'h'])], false],
])('decides whether a node is allowed by %s', (_, terms, expected) => expect(isAllowed(terms, labels)).toBe(expected));
