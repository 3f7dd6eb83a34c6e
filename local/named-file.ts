import { readFile } from 'node:fs/promises';
import { diskFiles } from '#adapters/server/files/disk-files.ts';
import { fileFault } from './start-fault.ts';

/** The text of a file that somebody named. Rejects with a StartFault that names it. */
export function namedFile(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw fileFault(path, error);
  });
}

/** The files that flags name, from the working directory on. Their faults are StartFaults. */
export const namedFiles = diskFiles('.', fileFault);
