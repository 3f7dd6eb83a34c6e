import type { PersistentVolume } from '#lib/api/types/core.v1.ts';
import { reaches } from '#lib/helpers/component-helpers/storage/volume/match.ts';
import { isMigrationOn, pluginOf, translateVolume } from '#lib/helpers/csi-translation/translate.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';
import type { Handle } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';

/** The annotation of a CSINode that names the in-tree plugins whose drivers the node has instead. */
export const MIGRATED_PLUGINS = 'storage.alpha.kubernetes.io/migrated-plugins';

/** Whether the node can use the volume; by its driver's topology if the node has that driver instead of a plugin. */
export function isWithinReach(handle: Handle, { name, labels }: NodeInfo, volume: PersistentVolume): boolean {
  const plugin = pluginOf(volume.spec);
  if (plugin === undefined || !isMigrationOn(plugin.name)) return reaches(labels, volume);
  const csiNode = handle.lister('csinodes').get('', name);
  const migrated = csiNode === undefined ? undefined : annotationsOf(csiNode)[MIGRATED_PLUGINS];
  const isMigrated = migrated?.split(',').includes(plugin.name) === true;
  return reaches(labels, isMigrated ? translateVolume(volume) : volume);
}
