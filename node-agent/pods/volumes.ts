import { systemClock as clock } from '#adapters/clock.ts';
import { runProgram } from '#adapters/node/host/programs/run-program.ts';
import { HostNotes } from '#adapters/node/host/records/notes.ts';
import { installedDrivers } from '#adapters/node/host/volumes/flexvolume-drivers.ts';
import { HostMounter } from '#adapters/node/host/volumes/mounter.ts';
import { HostPodFolders } from '#adapters/node/host/volumes/pod-folders.ts';
import { HostSubpath } from '#adapters/node/host/volumes/subpath.ts';
import { supportsTmpfsNoSwap } from '#adapters/node/host/volumes/tmpfs-no-swap.ts';
import { HostVolumeFiles } from '#adapters/node/host/volumes/volume-files.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { SECRETS, VOLUME_ATTACHMENTS } from '#lib/api/types/resources.ts';
import type { Clientset } from '#lib/client/clientset.ts';
import { notFound } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { wholeValue } from '#lib/machinery/resource/quantities.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import { KubeletVolumeManager } from '#lib/node/kubelet/volumemanager/kubelet-volume-manager.ts';
import { podFields } from '#lib/node/kubelet/volumemanager/pod-fields.ts';
import { claimReader, claimStatusWriter, volumeObjects } from '#lib/node/kubelet/volumemanager/volume-objects.ts';
import type { CSIHost } from '#lib/node/volume/csi/host.ts';
import type { FlexHost } from '#lib/node/volume/flexvolume/host.ts';
import { FlexVolumes } from '#lib/node/volume/flexvolume/probe.ts';
import type { VolumeHost } from '#lib/node/volume/host.ts';
import { volumePlugins } from '#lib/node/volume/plugins.ts';
import type { SubpathMounter } from '#lib/node/volume/subpath/subpath.ts';
import type { ApiObjects } from './api-objects.ts';
import type { PodContext } from './context.ts';
import type { NodeCSI } from './csi.ts';

/** The volumes of pods on this machine. */
export interface NodeVolumes {
  readonly manager: KubeletVolumeManager;
  readonly subpaths: SubpathMounter;
  readonly folders: HostPodFolders;
}

/** Creates the manager of volumes. */
export async function nodeVolumes(
  context: PodContext,
  objects: ApiObjects,
  { csi, volumesInUseChanged }: { readonly csi: NodeCSI; volumesInUseChanged(): void },
): Promise<NodeVolumes> {
  const { rootDir, client, node, recorder, log, kernelVersion } = context;
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
  const flex = new FlexVolumes({
    flex: flexOf(context, host),
    clock,
    run: runProgram,
    installed: () => installedDrivers(context.configuration.volumePluginDir),
    log: (message) => log.info(message),
  });
  await flex.probe(); // before plugins reconstruct volumes from disk
  const plugins = volumePlugins(host, csiOf(context, csi));
  const manager = new KubeletVolumeManager({
    clock,
    rootDirectory: rootDir,
    subpaths,
    get plugins() {
      return [...plugins, ...flex.plugins];
    },
    probePlugins: () => flex.probe(),
    claims: claimReader(client),
    folders,
    nodeLabels: async () => node.latest.metadata.labels ?? {},
    reportedVolumes: async () => {
      const { volumesInUse = [], volumesAttached = [] } = (await node.fresh()).status;
      return { inUse: volumesInUse, attached: volumesAttached.map(({ name }) => name) };
    },
    volumesInUseChanged,
    recorder,
    patchStatus: claimStatusWriter(client),
    log: (message) => log.info(message),
  });
  return { manager, subpaths, folders };
}

const csiOf = ({ client, options }: PodContext, csi: NodeCSI): Omit<CSIHost, 'host'> => ({
  node: options.node,
  notes: new HostNotes(),
  client: (driver) => csi.drivers.client(driver),
  csiDriver: (name) => csi.csiDriver(name),
  attachment: (name) => found(client, VOLUME_ATTACHMENTS, '', name),
  updateNode: (driver) => csi.update(driver),
  secret: (namespace, name) => found(client, SECRETS, namespace, name),
});

function flexOf({ client, options }: PodContext, host: VolumeHost): FlexHost {
  const notes = new HostNotes();
  return {
    host,
    node: options.node,
    secret: (namespace, name) => found(client, SECRETS, namespace, name),
    remove: (path) => notes.remove(path),
    list: (path) => notes.list(path),
  };
}

async function found<T extends JsonObject>(
  client: Clientset,
  resource: ResourceOf<T>,
  namespace: string,
  name: string,
): Promise<T> {
  const object = await client.get({ resource, namespace, name });
  if (object === undefined) throw notFound(resource, name);
  return object;
}
