import { joinPath } from './mount/path.ts';

/** A plugin's name as a folder: `kubernetes.io~configmap`. */
export const escapeQualifiedName = (name: string): string => name.replaceAll('/', '~');
/** The plugin's name of a folder. */
export const unescapeQualifiedName = (name: string): string => name.replaceAll('~', '/');

/** The kubelet's folder of all pods. */
export const podsDir = (root: string): string => joinPath(root, 'pods');
/** A pod's folder. */
export const podDir = (root: string, uid: string): string => joinPath(root, 'pods', uid);
/** Where a pod's volume is mounted. */
export const podVolumeDir = (root: string, uid: string, plugin: string, volume: string): string =>
  joinPath(root, 'pods', uid, 'volumes', escapeQualifiedName(plugin), volume);
/** Where a pod's block device is linked. */
export const podVolumeDeviceDir = (root: string, uid: string, plugin: string, volume: string): string =>
  joinPath(root, 'pods', uid, 'volumeDevices', escapeQualifiedName(plugin), volume);
/** Notes of a plugin about a pod's volume. */
export const podPluginDir = (root: string, uid: string, plugin: string, volume: string): string =>
  joinPath(root, 'pods', uid, 'plugins', escapeQualifiedName(plugin), volume);
/** Mounts that pods share, one for each device. */
export const globalMountDir = (root: string, plugin: string): string => joinPath(root, 'plugins', plugin, 'mounts');
