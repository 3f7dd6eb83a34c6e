import { open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Manifest } from '#lib/node/kubelet/config/file.ts';
import { isMissing } from './path-error.ts';

/** Maximum bytes of a manifest. */
const LARGEST = 10 * 1024 * 1024;

/**
 * The manifests of static pods at a path, which is a folder or a single file. Empty if the path does not exist. Rejects if it cannot be
 * read.
 */
export async function manifestsAt(path: string): Promise<readonly Manifest[]> {
  const there = await stat(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return undefined;
  });
  if (there === undefined) return [];
  if (there.isFile()) return [manifest(path)];
  const names = (await readdir(path)).filter((name) => !name.startsWith('.')).toSorted();
  const files: Manifest[] = [];
  for (const name of names) {
    const file = await stat(join(path, name)).catch(() => undefined); // a broken link does not hide other manifests
    if (file?.isFile() === true) files.push(manifest(join(path, name)));
  }
  return files;
}

const manifest = (path: string): Manifest => ({
  path,
  async read() {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      if (size > LARGEST) throw new Error(`${basename(path)} is larger than ${LARGEST} bytes`);
      return await file.readFile();
    } finally {
      await file.close();
    }
  },
});
