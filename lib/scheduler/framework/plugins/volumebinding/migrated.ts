import type { PersistentVolume } from '#lib/api/types/core.v1.ts';
import { reaches } from '#lib/helpers/component-helpers/storage/volume/match.ts';
import { isMigrationOn, pluginOf, translateVolume } from '#lib/helpers/csi-translation/translate.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';
import type { Handle } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';

/** The CSINode annotation that lists the in-tree plugins that CSI drivers replace on the node. */
export const MIGRATED_PLUGINS = 'storage.alpha.kubernetes.io/migrated-plugins';

/** Whether the node can use the volume. Uses the CSI driver's topology if the driver replaces the in-tree plugin on the node. */
export function isWithinReach(handle: Handle, { name, labels }: NodeInfo, volume: PersistentVolume): boolean {
  const plugin = pluginOf(volume.spec);
  if (plugin === undefined || !isMigrationOn(plugin.name)) return reaches(labels, volume);
  const csiNode = handle.lister('csinodes').get('', name);
  const migrated = csiNode === undefined ? undefined : annotationsOf(csiNode)[MIGRATED_PLUGINS];
  const isMigrated = migrated?.split(',').includes(plugin.name) === true;
  return reaches(labels, isMigrated ? translateVolume(volume) : volume);
}
