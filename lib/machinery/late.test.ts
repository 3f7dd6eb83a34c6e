import { expect, test } from 'vitest';
import { Late } from './late.ts';

test('returns a late value after it is set, and can be set only once', () => {
  const late = new Late<number>();
  expect(late.isGiven).toBe(false);
  expect(late.value).toBeUndefined();
  expect(() => late.take()).toThrow(TypeError);
  late.give(2);
  expect(late.isGiven).toBe(true);
  expect([late.value, late.take()]).toEqual([2, 2]);
  expect(() => late.give(1)).toThrow(TypeError);
});

test('accepts undefined as a late value', () => {
  const late = new Late<undefined>();
  late.give(undefined);
  expect(late.isGiven).toBe(true);
  expect(late.take()).toBeUndefined();
});
