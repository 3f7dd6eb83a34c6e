import { systemClock as clock } from '#adapters/clock.ts';
import { HostMounter } from '#adapters/host/mounter.ts';
import { HostPodFolders } from '#adapters/host/pod-folders.ts';
import { HostSubpath } from '#adapters/host/subpath.ts';
import { supportsTmpfsNoSwap } from '#adapters/host/tmpfs-no-swap.ts';
import { HostVolumeFiles } from '#adapters/host/volume-files.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { wholeValue } from '#lib/machinery/resource/quantities.ts';
import { KubeletVolumeManager } from '#lib/kubelet/volumemanager/kubelet-volume-manager.ts';
import { podFields } from '#lib/kubelet/volumemanager/pod-fields.ts';
import { claimReader, volumeObjects } from '#lib/kubelet/volumemanager/volume-objects.ts';
import { volumePlugins } from '#lib/volume/plugins.ts';
import type { SubpathMounter } from '#lib/volume/subpath/subpath.ts';
import type { ApiObjects } from './api-objects.ts';
import type { PodContext } from './context.ts';

/** The volumes of pods on this machine. */
export interface NodeVolumes {
  readonly manager: KubeletVolumeManager;
  readonly subpaths: SubpathMounter;
  readonly folders: HostPodFolders;
}

/** Makes the manager of volumes. */
export async function nodeVolumes(
  { rootDir, client, node, recorder, log, kernelVersion }: PodContext,
  objects: ApiObjects,
): Promise<NodeVolumes> {
  const mounter = new HostMounter();
  const subpaths = new HostSubpath(mounter);
  const folders = new HostPodFolders(rootDir, mounter);
  const warn = (pod: Pod, reason: string, message: string): void => recorder.event(pod, 'Warning', reason, message);
  const allocatable = async () => node.latest.status.allocatable ?? {};
  const host = {
    rootDirectory: rootDir,
    clock,
    files: new HostVolumeFiles(mounter),
    mounter,
    objects: volumeObjects(objects),
    fields: podFields(allocatable),
    tmpfsNoSwap: await supportsTmpfsNoSwap(mounter, { kernelVersion }),
    nodeAllocatableMemory: async () => Number(wholeValue((await allocatable())['memory'] ?? '0')),
    warn,
  };
  const manager = new KubeletVolumeManager({
    clock,
    rootDirectory: rootDir,
    subpaths,
    plugins: volumePlugins(host),
    claims: claimReader(client),
    folders,
    nodeLabels: async () => node.latest.metadata.labels ?? {},
    warn,
    log: (message) => log.info(message),
  });
  return { manager, subpaths, folders };
}
