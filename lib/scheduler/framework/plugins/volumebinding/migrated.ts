import { reaches, specOf } from '#lib/component-helpers/storage/volume/match.ts';
import { isMigrationOn, pluginOf, translateVolume } from '#lib/csi-translation/translate.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';
import type { Handle } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';

/** On a CSINode: plugins, once built in, whose drivers the node has instead. */
export const MIGRATED_PLUGINS = 'storage.alpha.kubernetes.io/migrated-plugins';

/** Whether the node can have the volume, by its driver's topology where the node has that instead of a plugin. */
export function isWithinReach(handle: Handle, { name, labels }: NodeInfo, volume: JsonObject): boolean {
  const plugin = pluginOf(specOf(volume));
  if (plugin === undefined || !isMigrationOn(plugin.name)) return reaches(labels, volume);
  const csiNode = handle.lister('csinodes').get('', name);
  const migrated = csiNode === undefined ? undefined : annotationsOf(csiNode)[MIGRATED_PLUGINS];
  const isMigrated = migrated?.split(',').includes(plugin.name) === true;
  return reaches(labels, isMigrated ? translateVolume(volume) : volume);
}
