import type { HostPathVolumeSource } from '#lib/api/types/core.v1.ts';
import type { VolumeHost } from '../host.ts';
import type { VolumePlugin, VolumeSpec } from '../volume.ts';
import { checkType } from './check-type.ts';

/** The plugin for `hostPath` volumes, of a pod or a persistent volume. The path is used directly, without a mount. */
export const hostPathPlugin = (host: VolumeHost): VolumePlugin => ({
  name: 'kubernetes.io/host-path',
  requiresRemount: false,
  supportsMountOptions: false,
  canSupport: (spec) => sourceOf(spec) !== undefined,
  mounter: async (spec) => {
    const { path, type = '' } = sourceOf(spec) ?? { path: '' };
    return {
      path,
      attributes: { readOnly: spec.readOnly, managed: false, seLinuxRelabel: false },
      setUp: async () => {
        if (path.split('/').includes('..')) throw new Error(`invalid HostPath \`${path}\`: must not contain '..'`);
        if (type !== '') await checkType(host.files, path, type);
      },
    };
  },
  tearDown: async () => undefined,
});

const sourceOf = ({ volume, persistentVolume }: VolumeSpec): HostPathVolumeSource | undefined =>
  volume?.hostPath ?? persistentVolume?.spec.hostPath;
