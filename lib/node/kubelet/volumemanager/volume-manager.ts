import type { Pod } from '#lib/api/types/core.v1.ts';
import type { VolumeMeter } from '#lib/node/volume/volume.ts';

/** A volume that is mounted for a pod. */
export interface MountedVolume {
  /** The directory on the host, or the device of a block volume. */
  readonly path: string;
  /** The name of the persistent volume for a claim, else the name in the pod's spec. The directory of subpaths has this name. */
  readonly innerVolumeSpecName: string;
  readonly readOnly: boolean;
  readonly block: boolean;
  readonly selinuxRelabel: boolean;
  /** Measures the use of the volume. If absent, the host measures it. */
  readonly stats?: VolumeMeter;
}

/** The error if a pod cannot stay on its node because the node has too many volumes (upstream: VolumeAttachLimitExceededError). */
export class AttachLimitExceeded extends Error {
  constructor(missing: string) {
    super(`Node has reached its volume attachment limit, rejecting pod. ${missing}`);
    this.name = 'AttachLimitExceeded';
  }
}

/** Mounts and unmounts the volumes of pods (upstream: volumemanager.VolumeManager). */
export interface VolumeManager {
  /**
   * Mounts or refreshes every volume of the pod. Throws with upstream's text for `FailedMount` after two minutes and three seconds, or
   * AttachLimitExceeded if the node has too many volumes.
   */
  waitForAttachAndMount(pod: Pod, signal?: AbortSignal): Promise<void>;
  /** Unmounts every volume of the pod. Throws while one remains mounted. */
  waitForUnmount(pod: Pod, signal?: AbortSignal): Promise<void>;
  /** The mounted volumes of a pod by their name in its spec. */
  mountedVolumes(uid: string): ReadonlyMap<string, MountedVolume>;
  hasPossiblyMountedVolumes(uid: string): boolean;
  /** Groups from annotations of persistent volumes. */
  extraSupplementalGroups(pod: Pod): readonly number[];
  /** Unique names of attachable volumes in use, for the Node's status. */
  volumesInUse(): readonly string[];
  /** Removes volumes and directories that an earlier process left, if their pods are not in the set. */
  cleanupOrphans(knownUids: ReadonlySet<string>): Promise<void>;
}
