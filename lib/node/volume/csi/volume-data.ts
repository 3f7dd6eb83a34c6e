import * as z from 'zod';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { marshal } from '#lib/machinery/go.ts';
import { joinPath, parentPath } from '../mount/path.ts';
import type { CSIHost } from './host.ts';
import { csiText } from './names.ts';

const FILE = 'vol_data.json';

const volumeData = z.object({
  specVolID: z.string().optional(),
  volumeHandle: z.string(),
  driverName: z.string(),
  nodeName: z.string().optional(),
  attachmentID: z.string().optional(),
  volumeLifecycleMode: z.string().optional(),
});

/** The plugin's volume data file on disk, upstream's `vol_data.json`. It is authoritative for a teardown after a restart. */
export type VolumeData = z.infer<typeof volumeData>;

/** Writes the data file of a volume into its directory. */
export async function saveVolumeData({ notes }: CSIHost, folder: string, data: VolumeData): Promise<void> {
  const path = joinPath(folder, FILE);
  try {
    await notes.writeText(path, `${marshal(data)}\n`);
  } catch (error) {
    throw new Error(csiText(`failed to save volume data file ${path}: ${messageOfError(error)}`), { cause: error });
  }
}

/** The data of a volume, or undefined without a data file. Throws if the file cannot be read. */
export async function loadVolumeData({ notes }: CSIHost, folder: string): Promise<VolumeData | undefined> {
  const path = joinPath(folder, FILE);
  const text = await notes.readText(path);
  if (text === undefined) return undefined;
  try {
    return volumeData.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(csiText(`failed to parse volume data file [${path}]: ${messageOfError(error)}`), { cause: error });
  }
}

/** Removes a mount path and the data file next to it, unless something is mounted there (upstream: removeMountDir). */
export async function removeMountDir({ host, notes }: CSIHost, mountPath: string): Promise<void> {
  if ((await host.mounter.isMountPoint(mountPath)) === true) return;
  const folder = parentPath(mountPath);
  await failing(`failed to remove dir [${mountPath}]`, () => notes.remove(mountPath));
  const file = joinPath(folder, FILE);
  await failing(`failed to delete volume data file [${file}]`, () => notes.remove(file));
  await failing(`failed to delete volume path [${folder}]`, () => notes.remove(folder));
}

/** Removes the data file of a volume and its directory. */
export async function removeVolumeData({ notes }: CSIHost, folder: string): Promise<void> {
  await notes.remove(joinPath(folder, FILE));
  await notes.remove(folder);
}

async function failing(what: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    throw new Error(csiText(`${what}: ${messageOfError(error)}`), { cause: error });
  }
}
