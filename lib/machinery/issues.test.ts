import { expect, test } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { issuesText } from './issues.ts';

test.each([
  ['zod', z.object({ a: z.array(z.object({ b: z.string('must be a text') })), c: z.int('must be whole') })],
  [
    'zod/mini',
    mini.object({ a: mini.array(mini.object({ b: mini.string('must be a text') })), c: mini.int('must be whole') }),
  ],
])('%s: all that is wrong stands in one line, by path', (_, schema) => {
  const read = schema.safeParse({ a: [{ b: 'x' }, { b: 1 }], c: 0.5 });
  expect(issuesText(read.error?.issues ?? [])).toBe('a.1.b: must be a text; c: must be whole');
});

test('an issue of the whole value has no path', () => {
  expect(issuesText(z.string('must be a text').safeParse(1).error?.issues ?? [])).toBe('must be a text');
});
