/** Files of the host that pods get from the agent itself. Methods throw with the system's words. */
export interface PodFiles {
  /** A whole file. */
  read(path: string): Promise<Uint8Array>;
  /** A file below a folder, links in its path kept below it. Throws for one that is larger than a MiB. */
  readBelow(folder: string, path: string): Promise<Uint8Array>;
  /** Writes a whole file that has this mode afterwards, whatever the umask says. */
  write(path: string, content: string | Uint8Array, mode: number): Promise<void>;
  /** Makes a folder and those above it. */
  makeFolder(path: string, mode: number): Promise<void>;
  /** Whether something is at the path, links followed. */
  exists(path: string): Promise<boolean>;
  /** The permissions of a file or folder. */
  modeOf(path: string): Promise<number>;
  /** Whether a symbolic link is at the path. */
  isLink(path: string): Promise<boolean>;
}
