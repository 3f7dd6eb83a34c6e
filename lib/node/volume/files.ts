import type { Projection, WritePlan } from './atomic-writer.ts';
import type { OwnershipChange } from './ownership.ts';

/** Types of files, as hostPath volumes name them; empty for a type without a name (a pipe). */
export type FileType = 'Directory' | 'File' | 'Socket' | 'CharDevice' | 'BlockDevice' | '';

/** Files of the host below volumes. Methods throw with the system's words, as `mkdir /x: permission denied`. */
export interface VolumeFiles {
  /** Undefined where nothing is at the path, links followed. */
  fileType(path: string): Promise<FileType | undefined>;
  /** Creates the folder and those above it. With `exact` the folder has that mode, whatever the umask says, also if it was there. */
  makeFolder(path: string, mode: number, options?: { readonly exact: boolean }): Promise<void>;
  /** Creates an empty file, if nothing is at the path. */
  makeFile(path: string, mode: number): Promise<void>;
  /** Removes a file, or a folder with all that is in it; nothing where it is missing. Throws, and removes nothing, where something is mounted at it or below. */
  removeTree(path: string): Promise<void>;
  /** Unmounts what is mounted at the path, then removes the path, which has to be empty by then. */
  cleanUpMountPoint(path: string): Promise<void>;
  groupOf(path: string): Promise<number>;
  /** Gives the files below a path to a group. */
  changeOwnership(path: string, change: OwnershipChange): Promise<void>;
  /** The files that a folder projects now; undefined where it never did. */
  projection(path: string): Promise<Projection | undefined>;
  /** Carries out a plan. `beforePublish` runs when the new files are written and not yet seen. */
  writeProjection(path: string, plan: WritePlan, beforePublish: () => Promise<void>): Promise<void>;
  /** A link to a device, in place of one that was there. The folders above it are created. */
  linkDevice(device: string, path: string): Promise<void>;
}
