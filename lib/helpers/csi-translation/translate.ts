import type { PersistentVolume, PersistentVolumeSpec, Volume } from '#lib/api/types/core.v1.ts';
import { PLUGINS, type Plugin, type Sourced } from './plugins.ts';
import { translateTopology } from './topology.ts';

/** A volume as its CSI driver sees it. */
export interface CsiVolume {
  readonly driver: string;
  readonly volumeHandle: string;
}

/** The driver that replaced a plugin. Undefined if there is none. */
export const migratedTo = (plugin: string): string | undefined => PLUGINS.find(({ name }) => name === plugin)?.driver;

/** The former in-tree plugin of a volume's source. Undefined for any other source. */
export const pluginOf = (from: Sourced | undefined): Plugin | undefined =>
  PLUGINS.find(({ source }) => from?.[source] !== undefined);

/** Whether the scheduler migrates the plugin's volumes. It ignores Azure Files and vSphere. */
export const isMigrationOn = (plugin: string): boolean =>
  PLUGINS.some(({ name, handle }) => name === plugin && handle !== undefined);

/** The CSI volume of a pod's inline volume; undefined if it needs no translation. Throws TranslationError. */
export const translateInline = (volume: Volume): CsiVolume | undefined => translated(volume, undefined);

/** The CSI volume of a persistent volume; undefined if it needs no translation. Throws TranslationError. */
export const csiVolumeOf = (volume: PersistentVolume): CsiVolume | undefined => translated(volume.spec, volume);

function translated(from: Sourced, volume: PersistentVolume | undefined): CsiVolume | undefined {
  const plugin = pluginOf(from);
  return plugin?.handle && { driver: plugin.driver, volumeHandle: plugin.handle(from, volume) };
}

/** The persistent volume with its driver's source and topology: upstream's TranslateInTreePVToCSI. Throws TranslationError. */
export function translateVolume(volume: PersistentVolume): PersistentVolume {
  const csi = csiVolumeOf(volume);
  const plugin = pluginOf(volume.spec);
  if (csi === undefined || plugin === undefined) return volume;
  const placed = plugin.topologyKey === undefined ? volume : translateTopology(volume, plugin.topologyKey);
  const spec: PersistentVolumeSpec = { ...placed.spec, csi: { driver: csi.driver, volumeHandle: csi.volumeHandle } };
  delete spec[plugin.source];
  return { ...placed, spec };
}
