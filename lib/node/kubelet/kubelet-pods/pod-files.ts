/** Host files that the agent provides to pods. Methods throw the system's errors. */
export interface PodFiles {
  /** Reads a whole file. */
  read(path: string): Promise<Uint8Array>;
  /** Reads a file below a directory. Throws if a link leads out of the directory, or if the file is larger than 1 MiB. */
  readBelow(folder: string, path: string): Promise<Uint8Array>;
  /** Writes a whole file and sets its mode, regardless of the umask. */
  write(path: string, content: string | Uint8Array, mode: number): Promise<void>;
  /** Creates a directory and its parents. */
  makeFolder(path: string, mode: number): Promise<void>;
  /** Whether the path exists, after following links. */
  exists(path: string): Promise<boolean>;
  /** The permissions of a file or directory. */
  modeOf(path: string): Promise<number>;
  /** Whether the path is a symbolic link. */
  isLink(path: string): Promise<boolean>;
}
