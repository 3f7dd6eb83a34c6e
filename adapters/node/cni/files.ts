import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';

const code = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Whether an error means that the file does not exist. */
export const isAbsent = (error: unknown): boolean => code(error) === 'ENOENT';

/** Whether a regular file exists at a path. Follows links. */
export const isRegularFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/**
 * The content of a regular file, and its modification time in ms since 1970. Undefined if it has more than `max` bytes or is not a regular
 * file. Rejects if it cannot be opened.
 */
export async function readBounded(
  path: string,
  max: number,
): Promise<{ readonly bytes: Uint8Array; readonly written: number } | undefined> {
  // Opening a pipe must not block.
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const found = await file.stat();
  if (!found.isFile() || found.size > max) return undefined;
  const buffer = Buffer.alloc(max + 1);
  const { bytesRead } = await file.read(buffer, 0, max + 1, 0);
  return bytesRead > max ? undefined : { bytes: Buffer.from(buffer.subarray(0, bytesRead)), written: found.mtimeMs };
}
