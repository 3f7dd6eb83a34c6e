import type { Pod } from '#lib/api/types/core.v1.ts';
import type { VolumeMeter } from '#lib/node/volume/volume.ts';

/** A volume that is mounted for a pod. */
export interface MountedVolume {
  /** The folder of the host, or for a block volume the device. */
  readonly path: string;
  /** The name of the volume itself: of the persistent volume behind a claim, else the name in the spec. Subpaths stand in a folder of this name. */
  readonly innerVolumeSpecName: string;
  readonly readOnly: boolean;
  readonly block: boolean;
  readonly selinuxRelabel: boolean;
  /** Tells the use of the volume. Absent: the host measures it. */
  readonly stats?: VolumeMeter;
}

/** The reason why a pod cannot stay on its node: the node has too many volumes (upstream: VolumeAttachLimitExceededError). */
export class AttachLimitExceeded extends Error {
  constructor(missing: string) {
    super(`Node has reached its volume attachment limit, rejecting pod. ${missing}`);
    this.name = 'AttachLimitExceeded';
  }
}

/** Brings the volumes of pods onto the host and off it (upstream: volumemanager.VolumeManager). */
export interface VolumeManager {
  /** Mounts or refreshes every volume of the pod. Throws with upstream's text for `FailedMount` after two minutes and three seconds; AttachLimitExceeded where the node has too many. */
  waitForAttachAndMount(pod: Pod, signal?: AbortSignal): Promise<void>;
  /** Unmounts every volume of the pod. Throws while something stays mounted. */
  waitForUnmount(pod: Pod, signal?: AbortSignal): Promise<void>;
  /** The mounted volumes of a pod by their name in its spec. */
  mountedVolumes(uid: string): ReadonlyMap<string, MountedVolume>;
  hasPossiblyMountedVolumes(uid: string): boolean;
  /** Groups that annotations of persistent volumes ask for. */
  extraSupplementalGroups(pod: Pod): readonly number[];
  /** Unique names of attachable volumes in use, for the Node's status. */
  volumesInUse(): readonly string[];
  /** Removes volumes and folders of pods that are not in the set: left over by a process before. */
  cleanupOrphans(knownUids: ReadonlySet<string>): Promise<void>;
}
