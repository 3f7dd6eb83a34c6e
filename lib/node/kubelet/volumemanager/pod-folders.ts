/** A volume that a pod's folder holds. */
export interface VolumeOnDisk {
  /** The plugin's name, as `kubernetes.io/configmap`. */
  readonly plugin: string;
  /** The name of the volume's spec. */
  readonly name: string;
  readonly path: string;
  readonly block: boolean;
}

/** The folders of pods on the host: truth after a restart. */
export interface PodFolders {
  /** Uids of pods that have a folder. */
  uids(): Promise<readonly string[]>;
  /** Volumes in a pod's folder; none where it has no folder. */
  volumes(uid: string): Promise<readonly VolumeOnDisk[]>;
  /** Names of volumes with subpaths in a pod's folder. */
  subpathVolumes(uid: string): Promise<readonly string[]>;
  /** Mount points in a pod's `volumes` folder. */
  mounted(uid: string): Promise<readonly string[]>;
  /**
   * Removes the folder of a pod whose volumes are gone. Below `volumes` it removes empty folders alone, and it never crosses a mount point.
   * Returns upstream's texts of what it refuses; none where the folder is gone.
   */
  remove(uid: string): Promise<readonly string[]>;
}
