import { joinPath } from './mount/path.ts';

/** A plugin's name as a directory name: `kubernetes.io~configmap`. */
export const escapeQualifiedName = (name: string): string => name.replaceAll('/', '~');
/** The plugin's name for a directory name. */
export const unescapeQualifiedName = (name: string): string => name.replaceAll('~', '/');

/** The kubelet's directory of all pods. */
export const podsDir = (root: string): string => joinPath(root, 'pods');
/** A pod's directory. */
export const podDir = (root: string, uid: string): string => joinPath(root, 'pods', uid);
/** The mount path of a pod's volume. */
export const podVolumeDir = (root: string, uid: string, plugin: string, volume: string): string =>
  joinPath(root, 'pods', uid, 'volumes', escapeQualifiedName(plugin), volume);
/** The path of the link to a pod's block device. */
export const podVolumeDeviceDir = (root: string, uid: string, plugin: string, volume: string): string =>
  joinPath(root, 'pods', uid, 'volumeDevices', escapeQualifiedName(plugin), volume);
/** A plugin's data directory for a pod's volume. */
export const podPluginDir = (root: string, uid: string, plugin: string, volume: string): string =>
  joinPath(root, 'pods', uid, 'plugins', escapeQualifiedName(plugin), volume);
/** The directory of mounts that pods share, one for each device. */
export const globalMountDir = (root: string, plugin: string): string => joinPath(root, 'plugins', plugin, 'mounts');
