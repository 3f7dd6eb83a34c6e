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
  ['with a default handler that supports them', undefined, true],
  ['with a handler that does not support them', 'gvisor', false],
  ['with a handler that the runtime does not report', 'kata', false],
  ['with an unknown class', 'unknown', false],
])('checks recursive read-only mounts for a pod %s', (_, name, expected) => {
  expect(supportsRecursiveReadOnly(podOf(name), sources)).toBe(expected);
});
