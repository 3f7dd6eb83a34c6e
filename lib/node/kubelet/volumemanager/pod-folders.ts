/** A volume in a pod's directory. */
export interface VolumeOnDisk {
  /** The plugin's name, such as `kubernetes.io/configmap`. */
  readonly plugin: string;
  /** The name of the volume's spec. */
  readonly name: string;
  readonly path: string;
  readonly block: boolean;
}

/** The pod directories on the host, which are authoritative after a restart. */
export interface PodFolders {
  /** Uids of pods that have a directory. */
  uids(): Promise<readonly string[]>;
  /** Volumes in a pod's directory. Empty if it has no directory. */
  volumes(uid: string): Promise<readonly VolumeOnDisk[]>;
  /** Names of volumes with subpaths in a pod's directory. */
  subpathVolumes(uid: string): Promise<readonly string[]>;
  /** Mount points in a pod's `volumes` directory. */
  mounted(uid: string): Promise<readonly string[]>;
  /**
   * Removes the directory of a pod whose volumes are unmounted. Below `volumes` it only removes empty directories, and it never crosses a
   * mount point. Returns upstream's error texts for refused parts, or none if the directory was removed.
   */
  remove(uid: string): Promise<readonly string[]>;
}
