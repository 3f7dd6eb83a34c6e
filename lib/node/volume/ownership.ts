/** The group for a volume's files. */
export interface OwnershipChange {
  readonly fsGroup: number;
  readonly readOnly: boolean;
  /** `OnRootMismatch` skips a volume whose root directory is correct. */
  readonly policy?: string;
}

/** Facts about a file. `mode` contains the permission bits with setuid, setgid and sticky. */
export interface FileFacts {
  readonly isDirectory: boolean;
  readonly isLink: boolean;
  readonly mode: number;
  readonly gid: number;
}

const [READ_WRITE, READ_ONLY, EXECUTE, SETGID] = [0o660, 0o440, 0o110, 0o2000];

/** The mode of a file for the group, or undefined for a link, whose mode is meaningless. */
export function modeForGroup({ isDirectory, isLink, mode }: FileFacts, readOnly: boolean): number | undefined {
  if (isLink) return undefined;
  const mask = readOnly ? READ_ONLY : READ_WRITE;
  return mode | mask | (isDirectory ? SETGID | EXECUTE : 0);
}

/** Whether a volume's files must be changed, according to its root directory. */
export function requiresChange(root: FileFacts, { fsGroup, readOnly, policy }: OwnershipChange): boolean {
  if (policy !== 'OnRootMismatch' || !root.isDirectory || root.gid !== fsGroup) return true;
  const wanted = (readOnly ? READ_ONLY : READ_WRITE) | EXECUTE | SETGID;
  return (root.mode & wanted) !== wanted;
}
