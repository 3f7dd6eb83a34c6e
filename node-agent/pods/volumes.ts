import { systemClock as clock } from '#adapters/clock.ts';
import { HostMounter } from '#adapters/host/mounter.ts';
import { HostPodFolders } from '#adapters/host/pod-folders.ts';
import { HostSubpath } from '#adapters/host/subpath.ts';
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

/** The first Linux that keeps a tmpfs out of swap when it is told to. */
const NO_SWAP_SINCE = [6, 3] as const;

/** The volumes of pods on this machine. */
export interface NodeVolumes {
  readonly manager: KubeletVolumeManager;
  readonly subpaths: SubpathMounter;
}

/** Makes the manager of volumes. */
export function nodeVolumes({ rootDir, client, node, recorder, log, kernelVersion }: PodContext, objects: ApiObjects): NodeVolumes {
  const mounter = new HostMounter();
  const subpaths = new HostSubpath(mounter);
  const warn = (pod: Pod, reason: string, message: string): void => recorder.event(pod, 'Warning', reason, message);
  const allocatable = async () => node.latest.status.allocatable ?? {};
  const host = {
    rootDirectory: rootDir,
    clock,
    files: new HostVolumeFiles(mounter),
    mounter,
    objects: volumeObjects(objects),
    fields: podFields(allocatable),
    tmpfsNoSwap: isSince(kernelVersion, NO_SWAP_SINCE),
    nodeAllocatableMemory: async () => Number(wholeValue((await allocatable())['memory'] ?? '0')),
    warn,
  };
  const manager = new KubeletVolumeManager({
    clock,
    rootDirectory: rootDir,
    subpaths,
    plugins: volumePlugins(host),
    claims: claimReader(client),
    folders: new HostPodFolders(rootDir, mounter),
    nodeLabels: async () => node.latest.metadata.labels ?? {},
    warn,
    log: (message) => log.info(message),
  });
  return { manager, subpaths };
}

function isSince(version: string, [major, minor]: readonly [number, number]): boolean {
  const [first = 0, second = 0] = version.split('.').map(Number);
  return first > major || (first === major && second >= minor);
}
