import type { VolumePlugin, VolumeSpec } from '#lib/node/volume/volume.ts';

/** The name of a volume on a node: pods share that of a volume with a device; every other one is the pod's own. */
export function uniqueName(plugin: VolumePlugin, podUid: string, spec: VolumeSpec): string {
  const own = `${podUid}-${spec.name}`;
  if (plugin.sharedName !== undefined) return `${plugin.name}/${plugin.sharedName(spec) ?? own}`;
  return `${plugin.name}/${plugin.device === undefined ? own : spec.name}`;
}
