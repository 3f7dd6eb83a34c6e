import { expect, test } from 'vitest';
import type { Volume } from '#lib/api/types/core.v1.ts';
import { volumePlugins } from './plugins.ts';
import { aPod, MemoryHost } from './testing/memory-host.ts';
import { findPlugin } from './volume.ts';

const plugins = volumePlugins(new MemoryHost());

test.each<[string, Omit<Volume, 'name'>]>([
  ['of a repository', { gitRepo: { repository: 'https://example.com/a.git' } }],
  ['of a repository of the host', { gitRepo: { repository: '/var/lib/kubelet/pods/u2/volumes/a', directory: '.' } }],
  ['with an option as its revision', { gitRepo: { repository: 'a', revision: '--upload-pack=touch /x' } }],
])('a gitRepo volume has no plugin', (_, source) => {
  const volume = { name: 'vol', ...source };
  expect(() => findPlugin(plugins, { name: 'vol', volume, readOnly: false })).toThrow(
    new Error('no volume plugin matched: this node mounts no gitRepo volumes; a CSI driver can'),
  );
});

test.each<[string, Omit<Volume, 'name'>]>([
  ['a secret', { secret: { secretName: 'creds' } }],
  ['a config map', { configMap: { name: 'conf' } }],
  ['a downward API', { downwardAPI: { items: [] } }],
  ['a projection', { projected: { sources: [] } }],
])('a volume that the node writes is read-only for containers', async (_, source) => {
  const volume = { name: 'vol', ...source };
  const spec = { name: 'vol', volume, readOnly: false };
  const mounter = await findPlugin(plugins, spec).mounter(spec, aPod({ volumes: [volume] }));
  expect(mounter.attributes.readOnly).toBe(true);
});
