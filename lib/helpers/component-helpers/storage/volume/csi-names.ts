import { createHash } from 'node:crypto';

/** The name of the CSI volume plugin. */
export const CSI_PLUGIN = 'kubernetes.io/csi';

/** The name of the VolumeAttachment of a volume on a node. The attach-detach controller and the agent compute the same name. */
export const attachmentName = (volumeHandle: string, driver: string, node: string): string =>
  `csi-${createHash('sha256').update(`${volumeHandle}${driver}${node}`).digest('hex')}`;

/** The name of a volume, unique within the plugin. Pods that share the volume share the name. */
export const sharedName = (driver: string, volumeHandle: string): string => `${driver}^${volumeHandle}`;
