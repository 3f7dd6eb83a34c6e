import { expect, test } from 'vitest';
import { StreamLimit } from './stream-limit.ts';

test('rejects streams of a user above the limit until one ends', () => {
  const limit = new StreamLimit(2);
  const leave = limit.enter('ann');
  limit.enter('ann');
  expect(() => limit.enter('ann')).toThrow('the user has 2 streams open, and may have no more');
  limit.enter('bob');
  leave();
  limit.enter('ann');
  expect(() => limit.enter('ann')).toThrow('may have no more');
});
