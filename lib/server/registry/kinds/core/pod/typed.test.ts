import { expect, test } from 'vitest';
import { aPod } from './builders.ts';

test('a misspelt field of a pod does not compile', () => {
  const { spec, status } = aPod();
  expect(spec.containers?.[0]?.image).toBe('nginx:1.27');
  // @ts-expect-error misspelt field
  expect(spec.contaniers).toBe(undefined);
  // @ts-expect-error misspelt field
  expect(spec.containers?.[0]?.iamge).toBe(undefined);
  // @ts-expect-error misspelt field
  expect(status.qosClas).toBe(undefined);
});
