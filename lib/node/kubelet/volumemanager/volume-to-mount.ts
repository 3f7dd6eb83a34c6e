import type { Pod } from '#lib/api/types/core.v1.ts';
import type { VolumePlugin } from '#lib/node/volume/volume.ts';
import type { DesiredVolume } from './desired-volumes.ts';

/** A desired volume with the plugin that supports it. */
export interface VolumeToMount extends DesiredVolume {
  readonly pod: Pod;
  readonly plugin: VolumePlugin;
  readonly unique: string;
  /** Whether the volume is attached to the node before it is mounted. */
  readonly isAttachable: boolean;
}
