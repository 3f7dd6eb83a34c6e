import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { ENDPOINT_SLICES, SERVICES } from '#lib/api/types/resources.ts';
import { selectorOf } from './endpointslice/service.ts';
import { changedAt } from './endpointslice/slice.ts';

test('a misspelt field of an object that a controller reads or writes does not compile', () => {
  const service = decodedAs(SERVICES, { spec: { selector: { app: 'db' } } });
  expect(selectorOf(service)).toBeDefined();
  // @ts-expect-error misspelt field
  expect(service.spec.selektor).toBeUndefined();
  const slice = changedAt(decodedAs(ENDPOINT_SLICES, { addressType: 'IPv4' }), undefined);
  expect(slice.addressType).toBe('IPv4');
  // @ts-expect-error misspelt field
  expect(slice.adressType).toBeUndefined();
});
