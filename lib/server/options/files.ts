/** The files that options name. Relative paths are relative to one folder. */
export interface Files {
  /** Returns the text of a file. Throws OptionError that names the file. */
  read(path: string): string;
  /** Returns a function that reads a file at each call, because the file may be rotated. */
  readLater(path: string): () => Promise<string>;
  /** Returns the same files with relative paths based on the folder of this file. */
  beside(path: string): Files;
}

/** An invalid option, with a message of one line for the user. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

/** Parses the text of a file that an option names. Throws OptionError that begins with the path. */
export function readAs<T>(files: Files, path: string, parse: (text: string) => T): T {
  return parsedAs(path, files.read(path), parse);
}

/** Parses the file like `readAs`, or returns undefined without a path. */
export const readIfGiven = <T>(files: Files, path: string | undefined, parse: (text: string) => T): T | undefined =>
  path === undefined ? undefined : readAs(files, path, parse);

/** Parses a text from `path`. Throws OptionError that begins with the path. */
export function parsedAs<S, T>(path: string, text: S, parse: (text: S) => T): T {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof OptionError) throw error;
    throw new OptionError(`${path}: ${lineOf(error)}`, { cause: error });
  }
}

/** The first line of an error's message. */
export function lineOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line;
}
