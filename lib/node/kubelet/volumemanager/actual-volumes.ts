import type { VolumePlugin } from '#lib/node/volume/volume.ts';
import type { MountedVolume } from './volume-manager.ts';

/** A volume that is, or may be, in a pod's directory. */
export interface ActualVolume {
  readonly podUid: string;
  /** The name of the device if pods share it, else a name unique to the pod. */
  readonly unique: string;
  /** The name of its spec. */
  readonly name: string;
  readonly plugin: VolumePlugin;
  readonly block: boolean;
  readonly gid: string;
  /** Undefined while the volume is uncertain: its mount has not finished, or it was found on disk. */
  readonly mounted?: MountedVolume;
  /** Whether it must be set up again. */
  readonly remount: boolean;
  /** Whether each sync sets it up again. */
  readonly republish?: boolean;
}

/** A device that pods share. */
export interface MountedDevice {
  /** The name of the volume's spec, or the path if the device was found on disk. */
  readonly name: string;
  /** Whether it is ready for pods. If false, its state is uncertain: an attempt failed, or it was found on disk. */
  readonly isReady: boolean;
  /** Whether it is, or may be, attached to this node. */
  readonly isAttachable: boolean;
  /** Unmounts the device. Throws while something else uses it. */
  release(): Promise<void>;
}

/** The volumes that this process has mounted or found (upstream: actualStateOfWorld). */
export class ActualVolumes {
  readonly #volumes = new Map<string, ActualVolume>();
  /** Devices that are, or may be, mounted for pods, by unique name. */
  readonly devices = new Map<string, MountedDevice>();

  get(podUid: string, unique: string): ActualVolume | undefined {
    return this.#volumes.get(keyOf(podUid, unique));
  }

  put(volume: ActualVolume): void {
    this.#volumes.set(keyOf(volume.podUid, volume.unique), volume);
  }

  delete({ podUid, unique }: ActualVolume): void {
    this.#volumes.delete(keyOf(podUid, unique));
  }

  /** The volumes of a pod, including uncertain ones. */
  of(podUid: string): ActualVolume[] {
    return [...this.#volumes.values()].filter((volume) => volume.podUid === podUid);
  }

  /** Uids of pods with volumes. */
  pods(): Set<string> {
    return new Set([...this.#volumes.values()].map(({ podUid }) => podUid));
  }

  /** Devices that no pod uses any more. */
  unusedDevices(): string[] {
    return [...this.devices.keys()].filter((unique) => !this.isElsewhere('', unique));
  }

  /** Whether another pod has the volume. */
  isElsewhere(podUid: string, unique: string): boolean {
    return [...this.#volumes.values()].some((volume) => volume.unique === unique && volume.podUid !== podUid);
  }

  /** Marks the pod's volumes with changing content to be set up again. */
  markRemount(podUid: string): void {
    for (const volume of this.of(podUid))
      if (volume.plugin.requiresRemount || volume.republish === true) this.put({ ...volume, remount: true });
  }
}

const keyOf = (podUid: string, unique: string): string => `${podUid} ${unique}`;
