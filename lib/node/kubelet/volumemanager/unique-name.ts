import type { VolumePlugin, VolumeSpec } from '#lib/node/volume/volume.ts';

/** The unique name of a volume on a node. Pods share the name if the volume has a device. Otherwise it is unique to the pod. */
export function uniqueName(plugin: VolumePlugin, podUid: string, spec: VolumeSpec): string {
  const own = `${podUid}-${spec.name}`;
  if (plugin.sharedName !== undefined) return `${plugin.name}/${plugin.sharedName(spec) ?? own}`;
  return `${plugin.name}/${plugin.device === undefined ? own : spec.name}`;
}
