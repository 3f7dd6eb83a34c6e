import { expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { supportsRecursiveReadOnly } from './recursive-read-only.ts';

const handler = (name: string, recursiveReadOnlyMounts: boolean) => ({
  name,
  features: { recursiveReadOnlyMounts, userNamespaces: false },
});
const podOf = (runtimeClassName?: string): Pod => ({
  metadata: { name: 'a' },
  spec: { containers: [], ...(runtimeClassName !== undefined && { runtimeClassName }) },
  status: {},
});
const sources = {
  runtimeHandlers: () => [handler('', true), handler('runsc', false)],
  runtimeHandler(name = ''): string {
    if (name === 'unknown') throw new Error('not found');
    return name === 'gvisor' ? 'runsc' : name;
  },
};

test.each([
  ['of the default handler that has them', undefined, true],
  ['of a handler that has none', 'gvisor', false],
  ['of a handler that the runtime does not tell', 'kata', false],
  ['of an unknown class', 'unknown', false],
])('recursive read-only mounts of a pod %s', (_, name, expected) => {
  expect(supportsRecursiveReadOnly(podOf(name), sources)).toBe(expected);
});
