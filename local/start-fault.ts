/** A reason why the server cannot start, on one line for the user. */
export class StartFault extends Error {}

const LISTENING: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use; stop what listens there, or choose another with --port',
  EADDRNOTAVAIL: 'is no address of this machine; choose one with --host',
  ENOTFOUND: 'is no known host; choose one with --host',
  EAI_AGAIN: 'is no known host; choose one with --host',
  EACCES: 'is not for this user; choose a port above 1023 with --port',
};
const FILES: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  NoSpace: 'the disk is full',
  ENOTDIR: 'not a directory',
  EEXIST: 'not a directory',
  EISDIR: 'a directory is where a file is to be',
  ENOENT: 'there is no such place',
};

/** A failure to listen on `address`. */
export function listenFault(address: string, error: unknown): StartFault {
  const why = LISTENING[codeOf(error)];
  return new StartFault(`${address} ${why ?? `cannot be listened on: ${messageOf(error)}`}`);
}

/** A failure to read a file that the user named. */
export function fileFault(path: string, error: unknown): StartFault {
  if (error instanceof StartFault) return error;
  return new StartFault(`cannot use ${path}: ${FILES[codeOf(error)] ?? messageOf(error)}`);
}

/** A failure to read or write `path`, which is in the data directory. */
export function dataFault(path: string, error: unknown): StartFault {
  if (error instanceof StartFault) return error;
  return new StartFault(`${fileFault(path, error).message}; choose another place with --data-dir`);
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '');

/** The first line of an error's message. */
export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] as string;
