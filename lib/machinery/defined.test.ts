import { expect, expectTypeOf, test } from 'vitest';
import { defined } from './defined.ts';

test('keeps members that are not undefined, in order', () => {
  const present = defined({ b: 1, a: undefined, d: null, c: 0, e: '' });
  expect(present).toStrictEqual({ b: 1, d: null, c: 0, e: '' });
  expect(Object.keys(present)).toEqual(['b', 'd', 'c', 'e']);
  expect('a' in present).toBe(false);
});

test('has a type with optional members that are never undefined', () => {
  const port = [8080].find((given) => given > 80);
  const member = defined({ name: 'a', port });
  expectTypeOf(member.name).toEqualTypeOf<string>();
  const server: { readonly name: string; readonly port?: number } = member;
  expect(server).toStrictEqual({ name: 'a', port: 8080 });
});
