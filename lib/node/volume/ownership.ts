/** The group that a volume's files get. */
export interface OwnershipChange {
  readonly fsGroup: number;
  readonly readOnly: boolean;
  /** `OnRootMismatch` leaves a volume alone whose root folder is right. */
  readonly policy?: string;
}

/** Facts of a file. `mode` has the permission bits with setuid, setgid and sticky. */
export interface FileFacts {
  readonly isDirectory: boolean;
  readonly isLink: boolean;
  readonly mode: number;
  readonly gid: number;
}

const [READ_WRITE, READ_ONLY, EXECUTE, SETGID] = [0o660, 0o440, 0o110, 0o2000];

/** The mode that a file gets for the group; undefined for a link, whose mode means nothing. */
export function modeForGroup({ isDirectory, isLink, mode }: FileFacts, readOnly: boolean): number | undefined {
  if (isLink) return undefined;
  const mask = readOnly ? READ_ONLY : READ_WRITE;
  return mode | mask | (isDirectory ? SETGID | EXECUTE : 0);
}

/** Whether a volume's files have to be walked, judged by its root folder. */
export function requiresChange(root: FileFacts, { fsGroup, readOnly, policy }: OwnershipChange): boolean {
  if (policy !== 'OnRootMismatch' || !root.isDirectory || root.gid !== fsGroup) return true;
  const wanted = (readOnly ? READ_ONLY : READ_WRITE) | EXECUTE | SETGID;
  return (root.mode & wanted) !== wanted;
}
