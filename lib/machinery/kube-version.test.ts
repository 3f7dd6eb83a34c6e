import { expect, test } from 'vitest';
import { compareVersions } from './kube-version.ts';

test('sorts the best version first', () => {
  const versions = ['foo10', 'v1alpha1', 'v2beta1', 'v1', 'v10', 'foo1', 'v11alpha2', 'v3beta1', 'v2', 'v10beta3'];
  expect(versions.sort(compareVersions)).toEqual([
    'v10',
    'v2',
    'v1',
    'v10beta3',
    'v3beta1',
    'v2beta1',
    'v11alpha2',
    'v1alpha1',
    'foo1',
    'foo10',
  ]);
});
