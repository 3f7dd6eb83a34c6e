import { expect, test } from 'vitest';
import { keyOf, splitKey } from './namespaced-name.ts';

test.each([
  ['default/web', { namespace: 'default', name: 'web' }],
  ['node-1', { namespace: '', name: 'node-1' }],
  ['default/system:a/b', { namespace: 'default', name: 'system:a/b' }],
])('has the key %s and is split from it', (key, name) => {
  expect(keyOf(name)).toBe(key);
  expect(splitKey(key)).toEqual(name);
});
