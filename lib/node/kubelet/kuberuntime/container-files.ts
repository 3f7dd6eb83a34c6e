/**
 * The node's files for container logs (upstream: container.OSInterface). Paths are absolute. Methods throw Error if the system call fails.
 */
export interface ContainerFiles {
  /** Creates a directory and its parents, with mode 0755. */
  makeFolder(path: string): Promise<void>;
  /** The names in a directory. Empty if it does not exist. */
  list(folder: string): Promise<string[]>;
  /** Whether a file exists, after following all links. */
  exists(path: string): Promise<boolean>;
  symlink(target: string, link: string): Promise<void>;
  /** Removes a file or a link. Does nothing if it does not exist. */
  remove(path: string): Promise<void>;
  /** Removes a directory with all its content. */
  removeAll(folder: string): Promise<void>;
  /** Creates an empty file with mode 0666, regardless of the umask. */
  createWritable(path: string): Promise<void>;
  /** The last `bytes` bytes of a file as text, or undefined if it does not exist. */
  readTail(path: string, bytes: number): Promise<string | undefined>;
}
