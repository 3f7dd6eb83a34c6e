import { readdir, readFile, rename, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import type { CSIFiles } from '#lib/node/volume/csi/host.ts';
import { errorCode, ifMissing, inGoWords } from './path-error.ts';

const NEW = '.new';

/** Files with data about volumes on this machine. Only root can read them. */
export class HostNotes implements CSIFiles {
  readText(path: string): Promise<string | undefined> {
    return inGoWords(() => readFile(path, 'utf8').catch(ifMissing));
  }

  writeText(path: string, text: string): Promise<void> {
    return inGoWords(async () => {
      await writeFile(path + NEW, text, { mode: 0o600, flush: true });
      await rename(path + NEW, path);
    });
  }

  /** Removes a file, and a temporary file that a crash may have left. */
  remove(path: string): Promise<void> {
    return inGoWords(async () => {
      await rm(path + NEW, { force: true });
      try {
        await unlink(path);
      } catch (error) {
        if (errorCode(error) !== 'EISDIR') return ifMissing(error);
        await rmdir(path).catch(ifMissing);
      }
      return undefined;
    });
  }

  list(path: string): Promise<readonly string[]> {
    return inGoWords(async () => (await readdir(path).catch(ifMissing)) ?? []);
  }
}
