/** The code of a system error, such as ENOENT. Undefined for any other value. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Whether the error means that a file or folder does not exist. */
export const isMissing = (error: unknown): boolean => errorCode(error) === 'ENOENT';

/** A handler for `catch` that returns undefined if the path does not exist, and rethrows any other error. */
export function ifMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

/** The text of a system error in Go's format: `open /x: no such file or directory`. For any other error, its message. */
export function pathErrorText(error: unknown, path?: string): string {
  if (!(error instanceof Error)) return String(error);
  const [, description, call, at] = /^[A-Z0-9]+: (.+?), (\w+)(?: '(.*?)')?/s.exec(error.message) ?? [];
  if (description === undefined || call === undefined) return error.message;
  const place = path ?? at;
  return place === undefined ? `${call}: ${description}` : `${call} ${place}: ${description}`;
}

/** Only the system's part of an error's text, such as `no such file or directory`. */
export const errnoText = (error: unknown): string =>
  error instanceof Error ? (/^[A-Z0-9]+: (.+?), \w+/s.exec(error.message)?.[1] ?? error.message) : String(error);

/** Rethrows system errors with the texts of upstream's events. */
export async function inGoWords<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    throw new Error(pathErrorText(error), { cause: error });
  }
}
