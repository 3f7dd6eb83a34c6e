/** The files that options name. Relative paths start at one folder. */
export interface Files {
  /** The text of a file. Throws OptionError that names it. */
  read(path: string): string;
  /** Reads a file whenever it is asked for: whoever rotates it writes there. */
  readLater(path: string): () => Promise<string>;
  /** The same files, where relative paths start at the folder of this one. */
  beside(path: string): Files;
}

/** An option that is wrong, in one line for whoever gave it. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

/** Parses the text of a file that an option names. Throws OptionError that begins with the path. */
export function readAs<T>(files: Files, path: string, parse: (text: string) => T): T {
  return parsedAs(path, files.read(path), parse);
}

/** The same of an option that need not be given. */
export const readIfGiven = <T>(files: Files, path: string | undefined, parse: (text: string) => T): T | undefined =>
  path === undefined ? undefined : readAs(files, path, parse);

/** Parses a text that came from `path`. Throws OptionError that begins with the path. */
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
