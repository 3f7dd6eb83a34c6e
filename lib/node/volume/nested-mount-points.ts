import type { Pod } from '#lib/api/types/core.v1.ts';
import { cleanPath } from './mount/path.ts';

/**
 * Directories that a volume needs because containers mount other volumes below it, relative to the volume. The runtime cannot create them
 * in a read-only volume. Throws if a mount point leads out of the container.
 */
export function nestedMountPoints(volume: string, { spec }: Pod): string[] {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
  return containers.flatMap(({ volumeMounts = [] }) => {
    const all = volumeMounts.map(({ mountPath }) => cleanPath(mountPath)).sort();
    return volumeMounts
      .filter(({ name }) => name === volume)
      .flatMap(({ mountPath }) => nestedBelow(cleanPath(mountPath), all));
  });
}

function nestedBelow(mountPoint: string, all: readonly string[]): string[] {
  if (mountPoint.startsWith('../')) throw new Error(`invalid container mount point ${mountPoint}`);
  const found: string[] = [];
  for (const path of all) {
    if (!path.startsWith(`${mountPoint}/`)) continue;
    if (!found.some((outer) => path.startsWith(`${outer}/`))) found.push(path);
  }
  return found.map((path) => path.slice(mountPoint.length + 1));
}
