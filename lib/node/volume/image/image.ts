import type { VolumePlugin } from '../volume.ts';

/** The plugin for `image` volumes. The runtime mounts them, so the host does nothing. */
export const imagePlugin = (): VolumePlugin => ({
  name: 'kubernetes.io/image',
  requiresRemount: false,
  supportsMountOptions: false,
  canSupport: ({ volume }) => volume?.image !== undefined,
  mounter: async () => ({
    path: '',
    attributes: { readOnly: true, managed: false, seLinuxRelabel: false },
    setUp: async () => undefined,
  }),
  tearDown: async () => undefined,
});
