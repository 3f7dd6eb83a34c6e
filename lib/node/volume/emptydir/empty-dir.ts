import type { Pod } from '#lib/api/types/core.v1.ts';
import { podResources } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import { parseQuantity, quantityValue } from '#lib/machinery/resource/quantity.ts';
import { podPluginDir, podVolumeDir } from '../folders.ts';
import type { VolumeHost } from '../host.ts';
import { type MountInfo, mountAt } from '../mount/mount-info.ts';
import { joinPath } from '../mount/path.ts';
import type { MounterArgs, VolumeAttributes, VolumeMounter, VolumePlugin, VolumeSpec } from '../volume.ts';
import { isHugePageMedium, pageSizeMismatch, pageSizeMountOption } from './huge-pages.ts';

const NAME = 'kubernetes.io/empty-dir';
/** Writable for all users, because containers of any user share the directory. */
const MODE = 0o777;
const ATTRIBUTES: VolumeAttributes = { readOnly: false, managed: true, seLinuxRelabel: true };

/** A directory with the lifetime of its pod, on disk or in memory. */
export interface EmptyDir {
  readonly pod: Pod;
  readonly volumeName: string;
  readonly path: string;
  /** '' for the disk, `Memory`, `HugePages` or `HugePages-SIZE`. */
  readonly medium: string;
  readonly sizeLimit?: string;
}

/** The plugin for `emptyDir` volumes. */
export const emptyDirPlugin = (host: VolumeHost): VolumePlugin => ({
  name: NAME,
  requiresRemount: false,
  supportsMountOptions: false,
  canSupport: ({ volume }) => volume?.emptyDir !== undefined,
  mounter: async (spec, pod) => mounter(host, spec, pod),
  tearDown: (volumeName, uid) =>
    tearDownEmptyDir(host, { uid, volumeName, path: podVolumeDir(host.rootDirectory, uid, NAME, volumeName) }),
});

function mounter(host: VolumeHost, { name, volume }: VolumeSpec, pod: Pod): VolumeMounter {
  const path = podVolumeDir(host.rootDirectory, pod.metadata.uid ?? '', NAME, name);
  const { medium = '', sizeLimit } = volume?.emptyDir ?? {};
  const folder = { pod, volumeName: name, path, medium, ...(sizeLimit === undefined ? {} : { sizeLimit }) };
  return { path, attributes: ATTRIBUTES, setUp: (args) => setUpEmptyDir(host, folder, args) };
}

/** Creates or mounts the directory. A directory that is ready keeps its content. Throws for an unknown medium or a failed mount. */
export async function setUpEmptyDir(host: VolumeHost, folder: EmptyDir, { fsGroup }: MounterArgs): Promise<void> {
  const { path, medium, pod, volumeName } = folder;
  const ready = readyFolder(host, pod.metadata.uid ?? '', volumeName);
  if (await isReady(host, folder, ready)) return;
  if (medium === '') await host.files.makeFolder(path, MODE, { exact: true });
  else if (medium === 'Memory') await mountTmpfs(host, folder);
  else if (isHugePageMedium(medium)) await mountHugePages(host, folder);
  else throw new Error(`unknown storage medium ${JSON.stringify(medium)}`);
  if (fsGroup !== undefined) await host.files.changeOwnership(path, { fsGroup, readOnly: false });
  await host.files.makeFolder(ready, 0o750);
  await host.files.makeFile(joinPath(ready, 'ready'), 0o640);
}

/** Unmounts and removes the directory with its content. */
export async function tearDownEmptyDir(
  host: VolumeHost,
  { uid, volumeName, path }: { readonly uid: string; readonly volumeName: string; readonly path: string },
): Promise<void> {
  await host.files.removeTree(readyFolder(host, uid, volumeName));
  if ((await host.files.fileType(path)) === undefined) return;
  const mount = await mountOf(host, path);
  if (mount?.fsType === 'tmpfs' || mount?.fsType === 'hugetlbfs') await host.mounter.unmount(path);
  await host.files.removeTree(path);
}

const readyFolder = (host: VolumeHost, uid: string, volumeName: string): string =>
  podPluginDir(host.rootDirectory, uid, NAME, volumeName);

async function isReady(host: VolumeHost, { path, medium }: EmptyDir, ready: string): Promise<boolean> {
  if ((await host.files.fileType(joinPath(ready, 'ready'))) !== 'File') return false;
  if (medium === 'Memory') return (await mountOf(host, path)) !== undefined;
  return medium === '' && (await host.files.fileType(path)) !== undefined;
}

async function mountTmpfs(host: VolumeHost, { path, pod, sizeLimit }: EmptyDir): Promise<void> {
  await host.files.makeFolder(path, MODE, { exact: true });
  if ((await mountOf(host, path))?.fsType === 'tmpfs') return;
  const size = emptyDirMemorySize(await host.nodeAllocatableMemory(), pod, sizeLimit);
  const options = [...(size > 0 ? [`size=${size}`] : []), ...(host.tmpfsNoSwap ? ['noswap'] : [])];
  await host.mounter.mount({ source: 'tmpfs', target: path, fsType: 'tmpfs', options });
}

async function mountHugePages(host: VolumeHost, { path, pod, medium }: EmptyDir): Promise<void> {
  await host.files.makeFolder(path, MODE, { exact: true });
  const mount = await mountOf(host, path);
  if (mount?.fsType === 'hugetlbfs') {
    const mismatch = pageSizeMismatch(medium, path, mount.superOptions);
    if (mismatch === undefined) return;
    throw new Error(`pod ${pod.metadata.uid ?? ''}: ${mismatch}`);
  }
  const options = [pageSizeMountOption(medium, pod)];
  await host.mounter.mount({ source: 'nodev', target: path, fsType: 'hugetlbfs', options });
}

const mountOf = async (host: VolumeHost, path: string): Promise<MountInfo | undefined> =>
  mountAt(await host.mounter.list(), path);

/**
 * The size of an in-memory volume in bytes (upstream: calculateEmptyDirMemorySize). It is the smallest of the node's allocatable memory,
 * the pod's memory limit if all its containers have one, and the volume's own limit.
 */
function emptyDirMemorySize(nodeAllocatable: number, pod: Pod, sizeLimit?: string): number {
  const limits = [podMemoryLimit(pod), sizeLimit === undefined ? 0 : Number(quantityValue(parseQuantity(sizeLimit)))];
  return Math.min(nodeAllocatable, ...limits.filter((limit) => limit > 0));
}

/** 0 if a container has no limit, unless there is a pod-level limit. */
function podMemoryLimit(pod: Pod): number {
  const { containers, initContainers, resources } = pod.spec;
  const all = [...(containers ?? []), ...(initContainers ?? [])];
  const limited = all.every((container) => container.resources?.limits?.['memory'] !== undefined);
  if (!limited && resources?.limits?.['memory'] === undefined) return 0;
  const limit = podResources(pod, 'limits').get('memory');
  return limit === undefined ? 0 : Number(quantityValue(parseQuantity(limit)));
}
