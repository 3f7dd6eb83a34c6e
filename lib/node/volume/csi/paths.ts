import { podVolumeDeviceDir, podVolumeDir } from '../folders.ts';
import { joinPath } from '../mount/path.ts';
import { CSI_PLUGIN, handleFolder } from './names.ts';

const escaped = (name: string): string => name.replaceAll('/', '~');

/** The directory for everything that the plugin shares between pods. */
export const pluginDir = (root: string): string => joinPath(root, 'plugins', CSI_PLUGIN);

/** The target path for publishing a volume of a pod. */
export const targetPath = (root: string, podUid: string, volume: string): string =>
  joinPath(podVolumeDir(root, podUid, CSI_PLUGIN, escaped(volume)), 'mount');

/** The staging directory of a volume. */
export const stagingPath = (root: string, driver: string, volumeHandle: string): string =>
  joinPath(pluginDir(root), driver, handleFolder(volumeHandle), 'globalmount');

/** The directory of block volumes. */
export const blockDir = (root: string): string => joinPath(pluginDir(root), 'volumeDevices');
/** The data directory of a block volume. */
export const blockDataDir = (root: string, volume: string): string => joinPath(blockDir(root), escaped(volume), 'data');
/** The staging directory of a block volume. */
export const blockStagingPath = (root: string, volume: string): string => joinPath(blockDir(root), 'staging', volume);
/** The directory with a block volume's files, one for each pod. */
export const blockPublishDir = (root: string, volume: string): string => joinPath(blockDir(root), 'publish', volume);
/** The link from a pod's directory to its block volume. */
export const podDevicePath = (root: string, podUid: string, volume: string): string =>
  podVolumeDeviceDir(root, podUid, CSI_PLUGIN, volume);
