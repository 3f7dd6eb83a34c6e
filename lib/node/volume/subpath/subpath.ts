/** A folder or file inside a volume that a container mounts in place of the whole volume. */
export interface Subpath {
  /** The place of the mount in the container's `volumeMounts`. */
  readonly volumeMountIndex: number;
  /** The subpath's full path on the host. */
  readonly path: string;
  /** The volume's name as a folder: `innerVolumeSpecName` of the mounted volume. */
  readonly volumeName: string;
  /** The volume's full path on the host. */
  readonly volumePath: string;
  /** The pod's folder. */
  readonly podDir: string;
  readonly containerName: string;
}

/** Subpaths of volumes whose content others write: no link in them leads out of the volume (upstream: subpath.Interface). */
export interface SubpathMounter {
  /**
   * Binds the subpath to a place below the pod's folder and returns that place: it stays what it is, whatever the volume's writers do.
   * Throws where the subpath does not exist or leads out of the volume. `cleanSubPaths` undoes it when the pod ends.
   */
  prepareSafeSubpath(subpath: Subpath): Promise<string>;
  /** Unmounts and removes all subpaths of a pod's volume. `volumeName`: as it was prepared. Does nothing where there are none. */
  cleanSubPaths(podDir: string, volumeName: string): Promise<void>;
  /**
   * Creates the missing folders of `subdir` in `base` with this mode, whatever the umask says. Throws where they would stand outside of the base.
   * A folder that is already there may stand outside: `prepareSafeSubpath` refuses it.
   */
  safeMakeDir(subdir: string, base: string, mode: number): Promise<void>;
}

/** The folder below a pod's that holds its subpath mounts. */
export const SUBPATH_FOLDER = 'volume-subpaths';
