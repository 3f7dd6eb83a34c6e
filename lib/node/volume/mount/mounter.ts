import type { MountInfo } from './mount-info.ts';

/** The parameters of a mount. */
export interface MountRequest {
  /** A device, a path to bind, or the name of a file system without a device (`tmpfs`). */
  readonly source: string;
  readonly target: string;
  /** Empty for a bind mount. */
  readonly fsType: string;
  /** `bind` creates a bind mount. The kernel then requires a remount to set the other options. */
  readonly options: readonly string[];
  /** Flags of the mount command, such as `--no-canonicalize`. */
  readonly flags?: readonly string[];
}

/** The host's mounts (upstream: mount-utils' Interface). Methods throw with the output of a failed command. */
export interface Mounter {
  mount(request: MountRequest): Promise<void>;
  /** Does nothing if nothing is mounted at the target. */
  unmount(target: string): Promise<void>;
  list(): Promise<readonly MountInfo[]>;
  /** Whether the path is a mount point, after following links. Undefined if it does not exist. */
  isMountPoint(path: string): Promise<boolean | undefined>;
  /** Other mount points of the same tree. Empty if the path does not exist. */
  mountRefs(path: string): Promise<readonly string[]>;
  /** Mounts a device, after formatting it if it has no file system. Never formats with the mount option `ro`. */
  formatAndMount(request: MountRequest): Promise<void>;
  /** Expands the file system of a mounted device to the device's size. Does nothing if it has no file system (upstream: ResizeFs). */
  resizeFs(device: string, mountPath: string): Promise<void>;
  /** Names of the file systems that the kernel currently supports. */
  fileSystems(): Promise<readonly string[]>;
}

/**
 * The options of a bind mount: those of the first call, and those of the remount, or undefined if none is needed (upstream: MakeBindOpts).
 */
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
