import type { Projection, WritePlan } from './atomic-writer.ts';
import type { OwnershipChange } from './ownership.ts';

/** File types in the notation of hostPath volumes. Empty for a type without a name (a pipe). */
export type FileType = 'Directory' | 'File' | 'Socket' | 'CharDevice' | 'BlockDevice' | '';

/** Host files for volumes. Methods throw the system's error, such as `mkdir /x: permission denied`. */
export interface VolumeFiles {
  /** The type after following links, or undefined if the path does not exist. */
  fileType(path: string): Promise<FileType | undefined>;
  /** Creates the directory and its parents. With `exact` it sets that mode, regardless of the umask, even for an existing directory. */
  makeFolder(path: string, mode: number, options?: { readonly exact: boolean }): Promise<void>;
  /** Creates an empty file, unless the path exists. */
  makeFile(path: string, mode: number): Promise<void>;
  /**
   * Removes a file or a directory with all its content. Does nothing if it does not exist. Throws without removing anything if there is a
   * mount at the path or below.
   */
  removeTree(path: string): Promise<void>;
  /** Unmounts the path, then removes it. It must be empty by then. */
  cleanUpMountPoint(path: string): Promise<void>;
  groupOf(path: string): Promise<number>;
  /** Assigns the files below a path to a group. */
  changeOwnership(path: string, change: OwnershipChange): Promise<void>;
  /** The current projection of a directory, or undefined if it never had one. */
  projection(path: string): Promise<Projection | undefined>;
  /** Executes a plan. `beforePublish` runs after the new files are written and before they become visible. */
  writeProjection(path: string, plan: WritePlan, beforePublish: () => Promise<void>): Promise<void>;
  /** Creates a link to a device, or replaces the existing one. Creates missing parent directories. */
  linkDevice(device: string, path: string): Promise<void>;
}
