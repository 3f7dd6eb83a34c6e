import type { MountInfo } from './mount-info.ts';

/** A mount to make. */
export interface MountRequest {
  /** A device, a path to bind, or the name of a file system without one (`tmpfs`). */
  readonly source: string;
  readonly target: string;
  /** Empty for a bind mount. */
  readonly fsType: string;
  /** `bind` makes a bind mount; the other options then come by a remount, as the kernel wants it. */
  readonly options: readonly string[];
  /** Flags of the mount command, as `--no-canonicalize`. */
  readonly flags?: readonly string[];
}

/** Mounts of the host (upstream: mount-utils' Interface). Methods throw with the command's output where it fails. */
export interface Mounter {
  mount(request: MountRequest): Promise<void>;
  /** Does nothing where nothing is mounted at the target. */
  unmount(target: string): Promise<void>;
  list(): Promise<readonly MountInfo[]>;
  /** Whether something is mounted at the path, links of it followed; undefined where nothing is at the path. */
  isMountPoint(path: string): Promise<boolean | undefined>;
  /** Other places at which the same tree is mounted; none where the path does not exist. */
  mountRefs(path: string): Promise<readonly string[]>;
  /** Mounts a device, formatted before if it has no file system. Never formats for a mount with the option `ro`. */
  formatAndMount(request: MountRequest): Promise<void>;
  /** Grows the file system of a mounted device to the device's size; nothing where it has none (upstream: ResizeFs). */
  resizeFs(device: string, mountPath: string): Promise<void>;
  /** Names of the file systems that the kernel knows now. */
  fileSystems(): Promise<readonly string[]>;
}

/** The options of a bind mount: those of the first call, and those of the remount, undefined where none is needed (upstream: MakeBindOpts). */
export function bindOptions(
  options: readonly string[],
): { readonly bind: readonly string[]; readonly remount?: readonly string[] } | undefined {
  if (!options.includes('bind')) return undefined;
  const rest = options.filter((option) => option !== 'bind' && option !== 'remount');
  const bind = rest.includes('_netdev') ? ['bind', '_netdev'] : ['bind'];
  return rest.length === 0 ? { bind } : { bind, remount: ['bind', 'remount', ...rest] };
}

/** The arguments of mount(8). */
export const mountArguments = ({ source, target, fsType, options, flags = [] }: MountRequest): string[] => [
  ...flags,
  ...(fsType === '' ? [] : ['-t', fsType]),
  ...(options.length === 0 ? [] : ['-o', options.join(',')]),
  ...(source === '' ? [] : [source]),
  target,
];
