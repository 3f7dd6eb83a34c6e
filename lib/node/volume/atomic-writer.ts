import { cleanPath } from './mount/path.ts';

const [MAX_NAME, MAX_PATH] = [255, 4096];
/** The link to the visible files. Names that start with two dots are reserved for the writer. */
export const DATA_LINK = '..data';

/** One file of a volume. */
export interface FileProjection {
  readonly data: Uint8Array;
  readonly mode: number;
  /** The owner of the file. Root if absent. */
  readonly fsUser?: number;
}

/** Files of a volume by their relative path. */
export type Payload = ReadonlyMap<string, FileProjection>;

/** The files that a volume currently shows. */
export interface Projection {
  /** The name of the directory that `..data` links to. */
  readonly folder: string;
  /** Content by path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Paths of files and directories. */
  readonly paths: readonly string[];
}

/** The steps from one state of a volume to the next. */
export interface WritePlan {
  readonly payload: Payload;
  /** The prefix of the new directory's name, with the time. Undefined if the files are already up to date. */
  readonly folderPrefix?: string;
  /** Names in the volume that must be links into `..data`. `fsUser` owns the link. */
  readonly links: ReadonlyMap<string, number | undefined>;
  /** Names to remove from the volume. */
  readonly remove: readonly string[];
  /** The directory of the previous files, which is removed last. */
  readonly oldFolder?: string;
}

/**
 * Plans an atomic change of a volume's files (upstream: AtomicWriter.Write). Throws for a path that is empty, absolute, too long, contains
 * `..` or starts with two dots. Like upstream, it ignores a change that affects only modes.
 */
export function planWrite(payload: Payload, current: Projection | undefined, now: number): WritePlan {
  const clean = validatePayload(payload);
  const removed = current === undefined ? [] : pathsToRemove(clean, current);
  const differs = current === undefined || removed.length > 0 || shouldWrite(clean, current);
  return {
    payload: clean,
    links: linksOf(clean),
    remove: removed.filter((path) => !path.includes('/')),
    ...(differs ? { folderPrefix: folderPrefix(now) } : {}),
    ...(differs && current !== undefined ? { oldFolder: current.folder } : {}),
  };
}

/** The payload with clean paths. */
function validatePayload(payload: Payload): Payload {
  const clean = new Map<string, FileProjection>();
  for (const [path, file] of payload) {
    validatePath(path);
    clean.set(cleanPath(path), file);
  }
  return clean;
}

function validatePath(path: string): void {
  if (path === '') throw new Error('invalid path: must not be empty: ""');
  if (path.startsWith('/')) throw new Error(`invalid path: must be relative path: ${path}`);
  if (bytes(path) > MAX_PATH) throw new Error(`invalid path: must be less than or equal to ${MAX_PATH} characters`);
  const items = path.split('/');
  for (const item of items) {
    if (item === '..') throw new Error(`invalid path: must not contain '..': ${path}`);
    if (bytes(item) > MAX_NAME)
      throw new Error(`invalid path: filenames must be less than or equal to ${MAX_NAME} characters`);
  }
  // The first part of a path such as `./..data` passes, so the clean path is checked as well.
  for (const first of [items[0], cleanPath(path).split('/')[0]])
    if (first?.startsWith('..') === true) throw new Error(`invalid path: must not start with '..': ${path}`);
}

const bytes = (text: string): number => new TextEncoder().encode(text).length;

const shouldWrite = (payload: Payload, { files }: Projection): boolean =>
  [...payload].some(([path, { data }]) => !sameBytes(files.get(path), data));

function sameBytes(a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a !== undefined && a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** Previous paths that are neither files of the payload nor directories above them. */
function pathsToRemove(payload: Payload, { paths }: Projection): string[] {
  const kept = new Set<string>();
  for (const path of payload.keys()) {
    const parts = path.split('/');
    for (const index of parts.keys()) kept.add(parts.slice(0, index + 1).join('/'));
  }
  return paths.filter((path) => !kept.has(path));
}

function linksOf(payload: Payload): Map<string, number | undefined> {
  const links = new Map<string, number | undefined>();
  for (const [path, { fsUser }] of payload) {
    const [name = path] = path.split('/');
    if (!links.has(name)) links.set(name, fsUser);
  }
  return links;
}

const folderPrefix = (now: number): string =>
  `..${new Date(now).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '_')}.`;
