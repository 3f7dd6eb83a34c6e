import { expect, test } from 'vitest';
import { Late } from './late.ts';

test('a late value is there when it is given, once', () => {
  const late = new Late<number | undefined>();
  expect(late.isGiven).toBe(false);
  expect(() => late.take()).toThrow(TypeError);
  late.give(undefined);
  expect(late.isGiven).toBe(true);
  expect(late.take()).toBeUndefined();
  expect(() => late.give(1)).toThrow(TypeError);
});
