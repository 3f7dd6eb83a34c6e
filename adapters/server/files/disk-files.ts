import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Files, lineOf, OptionError } from '#lib/server/options/files.ts';

/** Files of this machine, relative to `folder`. `faultOf` explains why a file cannot be read. Default: the system's message. */
export function diskFiles(folder = '.', faultOf = systemFault): Files {
  return {
    read(path) {
      try {
        return readFileSync(resolve(folder, path), 'utf8');
      } catch (error) {
        throw faultOf(path, error);
      }
    },
    readLater: (path) => () => readFile(resolve(folder, path), 'utf8'),
    beside: (path) => diskFiles(resolve(folder, dirname(path)), faultOf),
  };
}

const systemFault = (path: string, error: unknown): Error =>
  new OptionError(`${path}: ${lineOf(error)}`, { cause: error });
