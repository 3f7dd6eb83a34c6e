import type { PodFolders, VolumeOnDisk } from '../volumemanager/pod-folders.ts';

/** Volumes in folders of pods, in memory. */
export class MemoryPodVolumes implements PodFolders {
  /** Volumes by the pod's uid. */
  readonly pods = new Map<string, readonly VolumeOnDisk[]>();
  /** Names of volumes with subpaths by the pod's uid. */
  readonly subpaths = new Map<string, readonly string[]>();
  /** Pods in whose folder something is mounted. */
  readonly stuck = new Set<string>();

  async uids(): Promise<readonly string[]> {
    return [...this.pods.keys()];
  }
  async volumes(uid: string): Promise<readonly VolumeOnDisk[]> {
    return this.pods.get(uid) ?? [];
  }
  async subpathVolumes(uid: string): Promise<readonly string[]> {
    return this.subpaths.get(uid) ?? [];
  }
  async mounted(uid: string): Promise<readonly string[]> {
    return this.stuck.has(uid) ? ['/mounted'] : [];
  }
  async remove(uid: string): Promise<readonly string[]> {
    this.pods.delete(uid);
    return [];
  }
}
