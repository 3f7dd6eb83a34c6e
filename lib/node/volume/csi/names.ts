import { createHash } from 'node:crypto';
import { attachmentName, CSI_PLUGIN, sharedName } from '#lib/helpers/component-helpers/storage/volume/csi-names.ts';

export { attachmentName, CSI_PLUGIN, sharedName };

/** Maximum time-out of a driver call in milliseconds. */
export const CSI_TIMEOUT = 120_000;

/** A text with the prefix of upstream's log messages and errors for this plugin. */
export const csiText = (text: string): string => `${CSI_PLUGIN}: ${text}`;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The handle of a volume in a pod's spec. */
export const inlineHandle = (podUid: string, volume: string): string => `csi-${sha256(`${podUid}${volume}`)}`;

/** The directory of a volume below its driver's. */
export const handleFolder = (volumeHandle: string): string => sha256(volumeHandle);
