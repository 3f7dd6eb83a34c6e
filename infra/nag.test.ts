import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, test } from 'vitest';
import { aStack } from './testing.ts';

test("AWS' rules of good practice find nothing", () => {
  const stack = aStack();
  expect(new AwsSolutionsChecks(stack).validateScope(stack).violations).toEqual([]);
});
