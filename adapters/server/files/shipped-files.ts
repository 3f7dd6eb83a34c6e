import { posix } from 'node:path';
import { type Files, OptionError } from '#lib/server/options/files.ts';

/** The texts of files, by the paths in options and other files, relative to the first folder. */
export type ShippedTexts = Readonly<Record<string, string>>;

/** Reads from `files` and records each text in `texts`, so that the texts can be shipped. */
export function recordedFiles(files: Files, texts: Map<string, string>, folder = ''): Files {
  const read = (path: string): string => {
    const text = files.read(path);
    texts.set(keyOf(folder, path), text);
    return text;
  };
  return {
    read,
    readLater(path) {
      const text = read(path);
      return async () => text;
    },
    beside: (path) => recordedFiles(files.beside(path), texts, folderOf(folder, path)),
  };
}

/** Reads the shipped texts. */
export function shippedFiles(texts: ShippedTexts, folder = ''): Files {
  const read = (path: string): string => {
    const text = Object.hasOwn(texts, keyOf(folder, path)) ? texts[keyOf(folder, path)] : undefined;
    if (text === undefined) throw new OptionError(`${path} was not shipped`);
    return text;
  };
  return {
    read,
    readLater: (path) => async () => read(path),
    beside: (path) => shippedFiles(texts, folderOf(folder, path)),
  };
}

const keyOf = (folder: string, path: string): string => (posix.isAbsolute(path) ? path : posix.join(folder, path));
const folderOf = (folder: string, path: string): string => posix.dirname(keyOf(folder, path));
