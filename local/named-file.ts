import { readFile } from 'node:fs/promises';
import { diskFiles } from '#adapters/server/files/disk-files.ts';
import { fileFault } from './start-fault.ts';

/** Reads a file that the user named. Rejects with a StartFault that names the file. */
export function namedFile(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw fileFault(path, error);
  });
}

/** Reads the files that flags name, relative to the working directory. Errors are StartFaults. */
export const namedFiles = diskFiles('.', fileFault);
