import type { PodFolders, VolumeOnDisk } from '../volumemanager/pod-folders.ts';

/** In-memory volumes in pod directories. */
export class MemoryPodVolumes implements PodFolders {
  /** Volumes by the pod's uid. */
  readonly pods = new Map<string, readonly VolumeOnDisk[]>();
  /** Names of volumes with subpaths by the pod's uid. */
  readonly subpaths = new Map<string, readonly string[]>();
  /** Pods with a mount in their directory. */
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
