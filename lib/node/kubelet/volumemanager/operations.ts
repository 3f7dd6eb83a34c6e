import type { Pod } from '#lib/api/types/core.v1.ts';
import { reaches } from '#lib/helpers/component-helpers/storage/volume/match.ts';
import { defined } from '#lib/machinery/defined.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { podDir } from '#lib/node/volume/folders.ts';
import { mountOptions } from '#lib/node/volume/local/local.ts';
import type { SubpathMounter } from '#lib/node/volume/subpath/subpath.ts';
import type { BlockPlugin, MounterArgs } from '#lib/node/volume/volume.ts';
import type { ActualVolume, ActualVolumes } from './actual-volumes.ts';
import { type ExpansionContext, expandDuringMount } from './expansion/node-expander.ts';
import { fsUserOf } from './fs-user.ts';
import type { VolumeToMount } from './volume-to-mount.ts';

/** The volumes in the status of this Node. */
export interface ReportedVolumes {
  readonly inUse: readonly string[];
  readonly attached: readonly string[];
}

/** The error for a volume that the controller has not attached yet. It causes no event. */
export class NotAttached extends Error {}

/** The context of operations on volumes. */
export interface OperationContext {
  readonly rootDirectory: string;
  readonly subpaths: SubpathMounter;
  readonly actual: ActualVolumes;
  readonly expansion: ExpansionContext;
  /** Labels of this node. Throws if they are unknown. */
  nodeLabels(): Promise<Readonly<Record<string, string>>>;
  /** Reads the status of this Node from the server. */
  reportedVolumes(): Promise<ReportedVolumes>;
}

const READ_WRITE_ONCE_POD = 'ReadWriteOncePod';

/** The error of a step, in the form that events show. */
const failed = (name: string, volume: string, error: unknown): Error =>
  new Error(`${name} for volume ${JSON.stringify(volume)} : ${messageOfError(error)}`, { cause: error });

async function step<T>(name: string, volume: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw failed(name, volume, error);
  }
}

/** Sets a volume up, for the first time or again, and records it as mounted. Throws with the text of the event. */
export async function mountVolume(context: OperationContext, volume: VolumeToMount): Promise<void> {
  const { spec, plugin, pod, unique } = volume;
  const { actual } = context;
  await checkAttached(context, volume);
  await step('MountVolume.NodeAffinity check failed', spec.name, () => checkNodeAffinity(context, volume));
  const mounter = await step('MountVolume.NewMounter initialization failed', spec.name, () =>
    plugin.mounter(spec, pod),
  );
  if (mountOptions(spec).length > 0 && !plugin.supportsMountOptions) {
    const reason = 'mount options are not supported for this volume type';
    throw failed('MountVolume.MountOptionSupport check failed', spec.name, reason);
  }
  checkOncePod('MountVolume.SetUp failed', context, volume);
  const args = mounterArgs(pod);
  await mountDevice(context, volume, args);
  const record = recordOf(volume);
  const before = actual.get(record.podUid, unique);
  if (before === undefined) actual.put(record); // uncertain: the pod's cleanup removes a partial mount
  await step('MountVolume.SetUp failed', spec.name, () => mounter.setUp({ ...args, isRemount: before !== undefined }));
  await step('MountVolume.Setup failed while expanding volume', spec.name, () =>
    expandDuringMount(context.expansion, volume),
  );
  const { path, attributes, stats } = mounter;
  const selinuxRelabel = attributes.managed && attributes.seLinuxRelabel;
  const mounted = {
    path,
    innerVolumeSpecName: spec.name,
    readOnly: attributes.readOnly,
    block: false,
    selinuxRelabel,
    ...defined({ stats }),
  };
  actual.put({ ...record, mounted, republish: attributes.republish ?? false });
}

/** Links a block device into the pod's directory and records it. Throws with the text of the event. */
export async function mapVolume(context: OperationContext, volume: VolumeToMount): Promise<void> {
  const { spec, plugin, pod } = volume;
  await checkAttached(context, volume);
  await step('MapVolume.NodeAffinity check failed', spec.name, () => checkNodeAffinity(context, volume));
  const { block } = plugin;
  const none = 'MapVolume.FindMapperPluginBySpec failed to find BlockVolumeMapper plugin. Volume plugin is nil.';
  if (block === undefined) throw new Error(`${none} for volume ${JSON.stringify(spec.name)} `);
  checkOncePod('MapVolume.SetUpDevice failed', context, volume);
  await setUpDevice(context, volume, block);
  const record = recordOf(volume);
  context.actual.put(record);
  const path = await step('MapVolume.MapBlockVolume failed', spec.name, () => block.mapDevice(spec, pod));
  await step('MapVolume.MarkVolumeAsMounted failed while expanding volume', spec.name, () =>
    expandDuringMount(context.expansion, volume),
  );
  const mounted = {
    path,
    innerVolumeSpecName: spec.name,
    readOnly: spec.readOnly,
    block: true,
    selinuxRelabel: false,
    ...defined({ stats: block.stats?.(spec, pod) }),
  };
  context.actual.put({ ...record, mounted });
}

/** Unmounts a volume from a pod's directory. Throws if a part remains. */
export async function unmountVolume(context: OperationContext, volume: ActualVolume): Promise<void> {
  const { actual, subpaths, rootDirectory } = context;
  const { podUid, name, plugin } = volume;
  const folder = podDir(rootDirectory, podUid);
  await step('error cleaning subPath mounts', name, () => subpaths.cleanSubPaths(folder, name));
  if (volume.block) await step('UnmapVolume failed', name, async () => plugin.block?.unmapDevice(name, podUid));
  else await step('UnmountVolume.TearDown failed', name, () => plugin.tearDown(name, podUid));
  actual.delete(volume);
  if (!actual.isElsewhere(podUid, volume.unique)) context.expansion.sizes.forget(volume.unique);
}

/** Unmounts a device that no pod uses any more. Throws while something else uses it. */
export async function unmountDevice({ actual }: OperationContext, unique: string): Promise<void> {
  const mounted = actual.devices.get(unique);
  if (mounted === undefined) return;
  await step('UnmountDevice failed', mounted.name, () => mounted.release());
  actual.devices.delete(unique);
}

const recordOf = ({ pod, unique, spec, plugin, block, gid }: VolumeToMount): ActualVolume => ({
  podUid: pod.metadata.uid ?? '',
  unique,
  name: spec.name,
  plugin,
  block,
  gid,
  remount: false,
});

async function checkNodeAffinity(context: OperationContext, { spec }: VolumeToMount): Promise<void> {
  if (spec.persistentVolume === undefined) return;
  if (!reaches(await context.nodeLabels(), spec.persistentVolume)) throw new Error('no matching NodeSelectorTerms');
}

/** Only one pod may use a volume whose only mode is ReadWriteOncePod. The scheduler enforces this as well. */
function checkOncePod(prefix: string, { actual }: OperationContext, { spec, unique, pod }: VolumeToMount): void {
  const { accessModes = [] } = spec.persistentVolume?.spec ?? {};
  if (accessModes.length !== 1 || accessModes[0] !== READ_WRITE_ONCE_POD) return;
  if (!actual.isElsewhere(pod.metadata.uid ?? '', unique)) return;
  const reason = 'volume uses the ReadWriteOncePod access mode and is already in use by another pod';
  throw failed(prefix, spec.name, reason);
}

/** Throws until the controller has attached the volume. The controller attaches it after the status of the Node reports it as in use. */
async function checkAttached(
  context: OperationContext,
  { unique, spec, plugin, isAttachable }: VolumeToMount,
): Promise<void> {
  if (!isAttachable || context.actual.devices.get(unique)?.isReady === true) return;
  const { inUse, attached } = await context.reportedVolumes();
  if (!inUse.includes(unique))
    throw new NotAttached("Volume has not been added to the list of VolumesInUse in the node's volume status");
  if (!attached.includes(unique)) throw new NotAttached('Volume not attached according to node status');
  await step('MountVolume.WaitForAttach failed', spec.name, async () => plugin.attach?.waitForAttach(spec));
}

async function mountDevice(
  { actual }: OperationContext,
  { spec, plugin, unique, isAttachable }: VolumeToMount,
  args: MounterArgs,
): Promise<void> {
  const { device } = plugin;
  if (device === undefined || device.canMount?.(spec) === false || actual.devices.get(unique)?.isReady === true) return;
  const path = await step('MountVolume.GetDeviceMountPath failed', spec.name, () => device.deviceMountPath(spec));
  const release = (): Promise<void> => device.unmountDevice(spec.name, path);
  actual.devices.set(unique, { name: spec.name, isReady: false, isAttachable, release });
  await step('MountVolume.MountDevice failed', spec.name, () => device.mountDevice(spec, path, args));
  actual.devices.set(unique, { name: spec.name, isReady: plugin.attach !== undefined, isAttachable, release });
}

async function setUpDevice(
  { actual }: OperationContext,
  { spec, unique, isAttachable }: VolumeToMount,
  block: BlockPlugin,
): Promise<void> {
  if (block.setUpDevice === undefined || actual.devices.get(unique)?.isReady === true) return;
  const release = async (): Promise<void> => block.tearDownDevice?.(spec.name);
  actual.devices.set(unique, { name: spec.name, isReady: false, isAttachable, release });
  await step('MapVolume.SetUpDevice failed', spec.name, async () => block.setUpDevice?.(spec));
  actual.devices.set(unique, { name: spec.name, isReady: true, isAttachable, release });
}

function mounterArgs(pod: Pod): MounterArgs {
  const { fsGroup, fsGroupChangePolicy } = pod.spec.securityContext ?? {};
  const fsUser = fsUserOf(pod);
  return {
    ...(fsUser === undefined ? {} : { fsUser }),
    ...(fsGroup === undefined ? {} : { fsGroup: Number(fsGroup) }),
    ...(fsGroupChangePolicy === undefined ? {} : { fsGroupChangePolicy }),
  };
}
