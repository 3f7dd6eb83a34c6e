import { expect, test } from 'vitest';
import { stringType } from '#lib/api/cel/types/type.ts';
import { admissionEnvironment, compileExpression } from './expression.ts';
import { mostOfAll } from './most-cost.ts';

const env = admissionEnvironment({ params: false, authorizer: false, variables: new Map([['name', stringType]]) });
const compiled = (text: string) => compileExpression(text, env, []);

test.each<[string, number, number]>([
  ["'never more'", 0, 0],
  ["'refused: ' + object.metadata.name", 100_000, 700_000],
  ['variables.name', 2_000_000, 2_000_003],
  ["object.spec.list.map(x, x.name).join(',')", 2_000_000, 2_000_000],
])('estimates the maximum cost of %s at %d to %d', (text, least, most) => {
  const costly = compiled('[1,2,3].map(x, object.list.map(y, object.list.map(z, z))).size() > 0');
  const sum = mostOfAll([compiled(text)], [costly]);
  expect(sum).toBeGreaterThanOrEqual(least);
  expect(sum).toBeLessThanOrEqual(most);
});

test('counts no cost for an expression that does not compile', () => {
  expect(mostOfAll([compiled('1 +')], [])).toBe(0);
});
