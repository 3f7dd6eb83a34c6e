import { partsBelow } from './path.ts';

/** A line of /proc/PID/mountinfo. */
export interface MountInfo {
  readonly id: number;
  readonly parentId: number;
  /** The device of the file system, such as `8:1`. */
  readonly device: string;
  /** The mounted path inside the file system. */
  readonly root: string;
  readonly mountPoint: string;
  readonly options: readonly string[];
  readonly fsType: string;
  readonly source: string;
  readonly superOptions: readonly string[];
}

/** Parses the mounts in a mountinfo text, in order: later ones cover earlier ones. Throws if a line has too few fields. */
export const parseMountInfo = (text: string): MountInfo[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map(parseLine);

function parseLine(line: string): MountInfo {
  const fields = line.split(' ');
  const dash = fields.indexOf('-', 6);
  const [id, parentId, device, root, mountPoint, options] = fields;
  const [fsType, source, superOptions] = dash < 0 ? [] : fields.slice(dash + 1);
  if (fsType === undefined || source === undefined || superOptions === undefined || options === undefined)
    throw new Error(`wrong number of fields in (expected at least 10, got ${fields.length}): ${line}`);
  return {
    id: Number(id),
    parentId: Number(parentId),
    device: device ?? '',
    root: unescape(root ?? ''),
    mountPoint: unescape(mountPoint ?? ''),
    options: options.split(','),
    fsType,
    source: unescape(source),
    superOptions: superOptions.split(','),
  };
}

/** The kernel escapes spaces and backslashes in paths as octal numbers. */
const unescape = (text: string): string => {
  const bytes = text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
  return bytes;
};

/** The topmost mount at a path, or undefined if the path is not a mount point. Links in the path must be resolved. */
export const mountAt = (mounts: readonly MountInfo[], path: string): MountInfo | undefined =>
  mounts.findLast(({ mountPoint }) => mountPoint.replace(/\/\/deleted$/, '') === path);

/** Mount points at or below a path, deepest first, which is the order to unmount them. */
export const mountsBelow = (mounts: readonly MountInfo[], path: string): string[] =>
  mounts
    .filter(({ mountPoint }) => partsBelow(mountPoint, path) !== undefined)
    .map(({ mountPoint }) => mountPoint)
    .reverse()
    .toSorted((a, b) => b.split('/').length - a.split('/').length);

/**
 * Other mount points of the tree at a path (upstream: SearchMountPoints). Links in the path must be resolved. Throws if no mount contains
 * the path.
 */
export function mountRefs(mounts: readonly MountInfo[], path: string): string[] {
  const holder = mounts.findLast(({ mountPoint }) => partsBelow(path, mountPoint) !== undefined);
  if (holder === undefined) throw new Error(`failed to get root path and major:minor for ${path}`);
  const below = partsBelow(path, holder.mountPoint) ?? [];
  const root = [holder.root === '/' ? '' : holder.root, ...below].join('/') || '/';
  return mounts
    .filter((mount) => mount.id !== holder.id && mount.device === holder.device && mount.root === root)
    .map(({ mountPoint }) => mountPoint);
}
