import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { PERSISTENT_VOLUMES, PODS } from '#lib/api/types/resources.ts';
import { volumesOf } from './storage/ephemeral/pod-claims.ts';
import { claimRefOf } from './storage/volume/match.ts';

test('rejects a misspelled field of a volume or a claim reference at compile time', () => {
  const pod = decodedAs(PODS, { spec: { volumes: [{ name: 'v', emptyDir: {} }] } });
  // @ts-expect-error misspelt field
  expect(volumesOf(pod)[0]?.nmae).toBe(undefined);
  const volume = decodedAs(PERSISTENT_VOLUMES, { spec: { claimRef: { name: 'c' } } });
  // @ts-expect-error misspelt field
  expect(claimRefOf(volume)?.nmae).toBe(undefined);
});
