import { createHash } from 'node:crypto';

/** The name of the volume plugin of CSI. */
export const CSI_PLUGIN = 'kubernetes.io/csi';

/** The name of the VolumeAttachment of a volume on a node: the attach-detach controller and the agent compute the same. */
export const attachmentName = (volumeHandle: string, driver: string, node: string): string =>
  `csi-${createHash('sha256').update(`${volumeHandle}${driver}${node}`).digest('hex')}`;

/** The name of a volume among all of its plugin: pods share it. */
export const sharedName = (driver: string, volumeHandle: string): string => `${driver}^${volumeHandle}`;
