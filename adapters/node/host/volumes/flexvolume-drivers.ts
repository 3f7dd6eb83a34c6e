import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { executableOf } from '#lib/node/volume/flexvolume/driver-call.ts';
import type { InstalledDriver } from '#lib/node/volume/flexvolume/probe.ts';
import { ifMissing, inGoWords } from '../records/path-error.ts';

/** The FlexVolume drivers in a folder. A subfolder without its program does not count as a driver. */
export const installedDrivers = (path: string): Promise<readonly InstalledDriver[]> =>
  inGoWords(async () => {
    const entries = (await readdir(path, { withFileTypes: true }).catch(ifMissing)) ?? [];
    const found: InstalledDriver[] = [];
    for (const entry of entries) {
      if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
      const folder = join(path, entry.name);
      const program = await stat(join(folder, executableOf(entry.name)), { bigint: true }).catch(ifMissing);
      if (program?.isFile() !== true) continue;
      const { dev, ino, mtimeNs, size } = program;
      found.push({ folder, identity: `${dev}:${ino}:${mtimeNs}:${size}` });
    }
    return found;
  });
