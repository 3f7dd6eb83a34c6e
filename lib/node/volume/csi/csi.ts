import { parentPath } from '../mount/path.ts';
import type { VolumePlugin, VolumeSpec } from '../volume.ts';
import { canAttach, verifyExhaustedResource, waitForAttach } from './attachment.ts';
import { csiBlocks } from './block.ts';
import { csiDevices } from './device.ts';
import { nodeExpand } from './expander.ts';
import type { CSIHost } from './host.ts';
import { csiMounter, tearDown } from './mounter.ts';
import { CSI_PLUGIN, sharedName } from './names.ts';
import { blockDataDir, targetPath } from './paths.ts';
import { sourceOf } from './source.ts';
import { loadVolumeData } from './volume-data.ts';

/** The plugin for volumes of CSI drivers: persistent ones, and those in a pod's spec. */
export const csiPlugin = (csi: CSIHost): VolumePlugin => ({
  name: CSI_PLUGIN,
  requiresRemount: false,
  supportsMountOptions: true,
  device: csiDevices(csi),
  block: csiBlocks(csi),
  attach: {
    canAttach: (spec) => canAttach(csi, spec),
    waitForAttach: (spec) => waitForAttach(csi, spec),
    verifyExhaustedResource: (spec) => verifyExhaustedResource(csi, spec),
  },
  canSupport: (spec) => sourceOf(spec) !== undefined,
  sharedName: (spec) => {
    const found = sourceOf(spec);
    return found?.mode === 'Persistent' ? sharedName(found.source.driver, found.source.volumeHandle) : undefined;
  },
  reconstruct: (volumeName, podUid, block) => reconstruct(csi, volumeName, podUid, block),
  expand: (expansion) => nodeExpand(csi, expansion),
  mounter: async (spec, pod) => csiMounter(csi, spec, pod),
  tearDown: (volumeName, podUid) => tearDown(csi, volumeName, podUid),
});

/** The spec of a volume that an earlier process left in a pod's directory, from the volume data file. */
async function reconstruct(csi: CSIHost, volumeName: string, podUid: string, block: boolean): Promise<VolumeSpec> {
  const { rootDirectory: root } = csi.host;
  const folder = block ? blockDataDir(root, volumeName) : parentPath(targetPath(root, podUid, volumeName));
  const data = await loadVolumeData(csi, folder);
  if (data === undefined || data.volumeLifecycleMode === 'Ephemeral')
    return { name: volumeName, volume: { name: volumeName, csi: { driver: data?.driverName ?? '' } }, readOnly: false };
  const { driverName: driver, volumeHandle } = data;
  const persistentVolume = { metadata: { name: volumeName }, spec: { csi: { driver, volumeHandle } }, status: {} };
  return { name: volumeName, persistentVolume, readOnly: false };
}
