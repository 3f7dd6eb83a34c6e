import { expect, test } from 'vitest';
import { Late } from './late.ts';

test('a late value is there when it is given, once', () => {
  const late = new Late<number>();
  expect(late.isGiven).toBe(false);
  expect(late.value).toBeUndefined();
  expect(() => late.take()).toThrow(TypeError);
  late.give(2);
  expect(late.isGiven).toBe(true);
  expect([late.value, late.take()]).toEqual([2, 2]);
  expect(() => late.give(1)).toThrow(TypeError);
});

test('a late value may be undefined', () => {
  const late = new Late<undefined>();
  late.give(undefined);
  expect(late.isGiven).toBe(true);
  expect(late.take()).toBeUndefined();
});
