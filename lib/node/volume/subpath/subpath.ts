/** A directory or file inside a volume that a container mounts instead of the whole volume. */
export interface Subpath {
  /** The index of the mount in the container's `volumeMounts`. */
  readonly volumeMountIndex: number;
  /** The subpath's full path on the host. */
  readonly path: string;
  /** The volume's directory name: `innerVolumeSpecName` of the mounted volume. */
  readonly volumeName: string;
  /** The volume's full path on the host. */
  readonly volumePath: string;
  /** The pod's directory. */
  readonly podDir: string;
  readonly containerName: string;
}

/** Subpaths of volumes with untrusted content. No link in them leads out of the volume (upstream: subpath.Interface). */
export interface SubpathMounter {
  /**
   * Binds the subpath below the pod's directory and returns that path. Writers of the volume cannot change what it refers to. Throws if the
   * subpath does not exist or leads out of the volume. `cleanSubPaths` undoes it when the pod terminates.
   */
  prepareSafeSubpath(subpath: Subpath): Promise<string>;
  /**
   * Unmounts and removes all subpaths of a pod's volume. `volumeName` is the name from `prepareSafeSubpath`. Does nothing if there are
   * none.
   */
  cleanSubPaths(podDir: string, volumeName: string): Promise<void>;
  /**
   * Creates the missing directories of `subdir` in `base` with this mode, regardless of the umask. Throws if they would be outside of the
   * base. An existing directory may be outside: `prepareSafeSubpath` rejects it.
   */
  safeMakeDir(subdir: string, base: string, mode: number): Promise<void>;
}

/** The directory below a pod's that contains its subpath mounts. */
export const SUBPATH_FOLDER = 'volume-subpaths';
