import { expect, test } from 'vitest';
import { aPod, Life } from './a-pod.ts';

test('rejects a misspelled field of a simulated pod or its status at compile time', () => {
  const { pod, status } = new Life(aPod()).until(1);
  // @ts-expect-error misspelt field
  expect(pod.spec.nodeNmae).toBe(undefined);
  // @ts-expect-error misspelt field
  expect(status.phsae).toBe(undefined);
});
