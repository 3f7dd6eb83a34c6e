import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { DEPLOYMENTS } from '#lib/api/types/resources.ts';
import { FieldPath } from '#lib/machinery/validation/field.ts';
import { nonnegative } from '../shared/validate.ts';

test('a misspelt field of a deployment does not compile', () => {
  const { spec } = decodedAs(DEPLOYMENTS, { spec: { replicas: 3 } });
  expect(spec.replicas).toBe(3);
  // @ts-expect-error misspelt field
  expect(spec.replcias).toBe(undefined);
  // @ts-expect-error misspelt field
  expect(nonnegative(spec, FieldPath.of('spec'), 'replcias')).toEqual([]);
});
