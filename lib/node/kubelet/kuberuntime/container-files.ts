/** The files of the node that containers log to (upstream: container.OSInterface). Paths are absolute. Methods throw Error where the system does. */
export interface ContainerFiles {
  /** Makes a folder and those above it, with mode 0755. */
  makeFolder(path: string): Promise<void>;
  /** The names in a folder; none where there is no folder. */
  list(folder: string): Promise<string[]>;
  /** Whether a file is there, behind all links. */
  exists(path: string): Promise<boolean>;
  symlink(target: string, link: string): Promise<void>;
  /** Removes a file or a link; nothing is done where there is none. */
  remove(path: string): Promise<void>;
  /** Removes a folder with all that is in it. */
  removeAll(folder: string): Promise<void>;
  /** Makes an empty file with mode 0666, whatever the umask is. */
  createWritable(path: string): Promise<void>;
  /** The last `bytes` bytes of a file, as text; undefined where there is none. */
  readTail(path: string, bytes: number): Promise<string | undefined>;
}
