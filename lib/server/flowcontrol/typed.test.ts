import { expect, test } from 'vitest';
import { BOOTSTRAP_LEVELS, BOOTSTRAP_SCHEMAS } from './bootstrap/default.ts';

test('a misspelt field of a flow schema or priority level does not compile', () => {
  expect(BOOTSTRAP_SCHEMAS[0]?.spec.matchingPrecedence).toBe(1);
  // @ts-expect-error misspelt field
  expect(BOOTSTRAP_SCHEMAS[0]?.spec.matchingPrecedense).toBe(undefined);
  expect(BOOTSTRAP_LEVELS[0]?.spec.type).toBe('Exempt');
  // @ts-expect-error misspelt field
  expect(BOOTSTRAP_LEVELS[0]?.spec.typo).toBe(undefined);
});
