import { expect, test } from 'vitest';
import { FailedPods } from './failed-pods.ts';

test('doubles the delay after each failure, up to 15 minutes', () => {
  const failed = new FailedPods();
  let now = 0;
  const waits = Array.from({ length: 12 }, () => {
    failed.replaced('k', now);
    const left = failed.left('k', now);
    now += left;
    expect(failed.left('k', now)).toBe(0);
    return left / 1000;
  });
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  failed.replaced('k', now + 3_600_000);
  expect(failed.left('k', now + 3_600_000)).toBe(1000);
  expect(failed.left('other', now)).toBe(0);
});
