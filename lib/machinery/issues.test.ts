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
])('lists all issues of %s in one line, with their paths', (_, schema) => {
  const read = schema.safeParse({ a: [{ b: 'x' }, { b: 1 }], c: 0.5 });
  expect(issuesText(read.error?.issues ?? [])).toBe('a.1.b: must be a text; c: must be whole');
});

test('omits the path for an issue of the whole value', () => {
  expect(issuesText(z.string('must be a text').safeParse(1).error?.issues ?? [])).toBe('must be a text');
});
