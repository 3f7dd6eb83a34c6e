import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { has } from '#lib/machinery/unstructured.ts';
import { PLUGINS, type Plugin } from './plugins.ts';
import { translateTopology } from './topology.ts';

/** A volume as its driver knows it. */
export interface CsiVolume {
  readonly driver: string;
  readonly volumeHandle: string;
}

/** The driver that took a plugin over; undefined where none did. */
export const migratedTo = (plugin: string): string | undefined => PLUGINS.find(({ name }) => name === plugin)?.driver;

/** The plugin, once built in, of a source: a volume of a pod, or the spec of a persistent one. */
export const pluginOf = (source: JsonObject | undefined): Plugin | undefined =>
  PLUGINS.find((plugin) => has(source, plugin.source));

/** Whether migration is on for a plugin at all. That of Azure Files and vSphere the scheduler does not look at. */
export const isMigrationOn = (plugin: string): boolean =>
  PLUGINS.some(({ name, handle }) => name === plugin && handle !== undefined);

/** A volume of a pod's own as its driver knows it; undefined where no driver does. Throws TranslationError. */
export const translateInline = (volume: JsonObject): CsiVolume | undefined => translated(volume, undefined);

/** A persistent volume as its driver knows it; undefined where no driver does. Throws TranslationError. */
export const csiVolumeOf = (volume: JsonObject): CsiVolume | undefined => translated(objectAt(volume, 'spec'), volume);

function translated(spec: JsonObject | undefined, volume: JsonObject | undefined): CsiVolume | undefined {
  const plugin = pluginOf(spec);
  const source = plugin && objectAt(spec, plugin.source);
  if (plugin?.handle === undefined || source === undefined) return undefined;
  return { driver: plugin.driver, volumeHandle: plugin.handle(source, volume) };
}

/** A persistent volume with its driver's source and topology: upstream's TranslateInTreePVToCSI. Throws TranslationError. */
export function translateVolume(volume: JsonObject): JsonObject {
  const csi = csiVolumeOf(volume);
  const plugin = pluginOf(objectAt(volume, 'spec'));
  if (csi === undefined || plugin === undefined) return volume;
  const placed = plugin.topologyKey === undefined ? volume : translateTopology(volume, plugin.topologyKey);
  const { [plugin.source]: _, ...spec } = objectAt(placed, 'spec') ?? {};
  return { ...placed, spec: { ...spec, csi: { driver: csi.driver, volumeHandle: csi.volumeHandle } } };
}
