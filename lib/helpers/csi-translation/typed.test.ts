import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { PERSISTENT_VOLUMES } from '#lib/api/types/resources.ts';
import { translateVolume } from './translate.ts';

test('rejects a misspelled field of a translated volume at compile time', () => {
  const { spec } = translateVolume(decodedAs(PERSISTENT_VOLUMES, { spec: { cinder: { volumeID: 'v' } } }));
  expect(spec.csi?.volumeHandle).toBe('v');
  // @ts-expect-error misspelt field
  expect(spec.csi?.volumeHandel).toBeUndefined();
});
