import { podVolumeDeviceDir, podVolumeDir } from '../folders.ts';
import { joinPath } from '../mount/path.ts';
import { CSI_PLUGIN, handleFolder } from './names.ts';

const escaped = (name: string): string => name.replaceAll('/', '~');

/** The folder of all that the plugin shares between pods. */
export const pluginDir = (root: string): string => joinPath(root, 'plugins', CSI_PLUGIN);

/** The target at which a driver publishes a volume of a pod. */
export const targetPath = (root: string, podUid: string, volume: string): string =>
  joinPath(podVolumeDir(root, podUid, CSI_PLUGIN, escaped(volume)), 'mount');

/** The folder in which a driver stages a volume. */
export const stagingPath = (root: string, driver: string, volumeHandle: string): string =>
  joinPath(pluginDir(root), driver, handleFolder(volumeHandle), 'globalmount');

/** The folder of block volumes. */
export const blockDir = (root: string): string => joinPath(pluginDir(root), 'volumeDevices');
/** The notes about a block volume. */
export const blockDataDir = (root: string, volume: string): string => joinPath(blockDir(root), escaped(volume), 'data');
/** The folder in which a driver stages a block volume. */
export const blockStagingPath = (root: string, volume: string): string => joinPath(blockDir(root), 'staging', volume);
/** The folder of a block volume's files, one for each pod. */
export const blockPublishDir = (root: string, volume: string): string => joinPath(blockDir(root), 'publish', volume);
/** The link in a pod's folder to its block volume. */
export const podDevicePath = (root: string, podUid: string, volume: string): string =>
  podVolumeDeviceDir(root, podUid, CSI_PLUGIN, volume);
