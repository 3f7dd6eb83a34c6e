import { constants, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CDIFile, CDISpecSource } from '#lib/node/kubelet/cm/cdi/registry.ts';
import { ifMissing } from '../records/path-error.ts';

/** The folders of specs. Specs in the second folder take precedence. */
const FOLDERS = ['/etc/cdi', '/var/run/cdi'];
/** Maximum bytes of a spec file. A larger file is truncated, which makes it invalid. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The specs of CDI devices on a Linux machine, which are files named `*.yaml` and `*.json`. */
export class HostCDISpecs implements CDISpecSource {
  readonly #folders: readonly string[];

  constructor(folders: readonly string[] = FOLDERS) {
    this.#folders = folders;
  }

  read(): Promise<CDIFile[][]> {
    return Promise.all(this.#folders.map(readFolder));
  }
}

async function readFolder(folder: string): Promise<CDIFile[]> {
  const names = (await readdir(folder).catch(ifMissing)) ?? [];
  const specs = names.filter((name) => /\.(yaml|json)$/.test(name)).sort();
  const files: CDIFile[] = [];
  for (const name of specs) {
    const path = join(folder, name);
    const bytes = await readStart(path).catch(ifMissing); // a driver may remove it meanwhile
    if (bytes !== undefined) files.push({ path, bytes });
  }
  return files;
}

/**
 * Reads the start of a spec without waiting for the writer of a pipe. Anything other than a regular file counts as an empty spec, which is
 * invalid.
 */
async function readStart(path: string): Promise<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    const size = stats.isFile() ? stats.size : 0;
    const buffer = Buffer.alloc(Math.min(size, MAX_BYTES));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
