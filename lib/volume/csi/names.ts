import { createHash } from 'node:crypto';

/** The name of the plugin. */
export const CSI_PLUGIN = 'kubernetes.io/csi';

/** Milliseconds of a call to a driver, the longest that it may take. */
export const CSI_TIMEOUT = 120_000;

/** A text as upstream's log and errors of this plugin begin. */
export const csiText = (text: string): string => `${CSI_PLUGIN}: ${text}`;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The name of the VolumeAttachment of a volume on a node. */
export const attachmentName = (volumeHandle: string, driver: string, node: string): string =>
  `csi-${sha256(`${volumeHandle}${driver}${node}`)}`;

/** The handle of a volume that is written in a pod's spec. */
export const inlineHandle = (podUid: string, volume: string): string => `csi-${sha256(`${podUid}${volume}`)}`;

/** The name of a volume among all of its plugin: pods share it. */
export const sharedName = (driver: string, volumeHandle: string): string => `${driver}^${volumeHandle}`;

/** The folder of a volume below its driver's. */
export const handleFolder = (volumeHandle: string): string => sha256(volumeHandle);
