import type { Container, Pod, VolumeMount } from '#lib/api/types/core.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import { type ImageSpec, MountPropagation } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { cleanPath } from '#lib/node/volume/mount/path.ts';
import type { SubpathMounter } from '#lib/node/volume/subpath/subpath.ts';
import { expandSubPath } from '../container/expand.ts';
import type { EnvVar, Mount } from '../container/runtime.ts';
import { absolutePath } from '../kuberuntime/container-config.ts';
import type { MountedVolume } from '../volumemanager/volume-manager.ts';
import { ETC_HOSTS, managedHostsFileContent, nodeHostsFileContent } from './hosts-file.ts';
import type { PodFiles } from './pod-files.ts';

/** The directories and names of a container's pod. */
export interface MountPlace {
  readonly podDir: string;
  readonly hostname: string;
  readonly domain: string;
  readonly podIPs: readonly string[];
  readonly volumes: ReadonlyMap<string, MountedVolume>;
  /** The container's environment, for `subPathExpr`. */
  readonly envs: readonly EnvVar[];
  /** Whether the pod's runtime handler supports recursive read-only mounts. */
  readonly supportsRecursiveReadOnly: boolean;
  /** Pulled images by the name of their volume. */
  readonly imageVolumes: ReadonlyMap<string, ImageSpec>;
}

/** The host files that mounts need. */
export interface MountPorts {
  readonly files: PodFiles;
  readonly subpaths: Pick<SubpathMounter, 'prepareSafeSubpath' | 'safeMakeDir'>;
}

/**
 * The mounts of a container: its volumes, and `/etc/hosts` unless a volume is mounted there (upstream: makeMounts). Rejects with upstream's
 * text for a missing volume, a path that leads out of its volume, and modes that the runtime does not support.
 */
export async function makeMounts(
  pod: Pod,
  container: Container,
  place: MountPlace,
  ports: MountPorts,
): Promise<Mount[]> {
  const { volumeMounts = [] } = container;
  const mounts: Mount[] = [];
  for (const [index, mount] of volumeMounts.entries())
    mounts.push(await volumeMount(container, { mount, index }, place, ports));
  const hasHosts = volumeMounts.some(({ mountPath }) => mountPath === ETC_HOSTS);
  const wantsHosts = place.podIPs.length > 0 || pod.spec.hostNetwork === true;
  return hasHosts || !wantsHosts ? mounts : [...mounts, await hostsMount(pod, place, ports.files)];
}

/** A mount of a container and its index in the list. */
interface OneMount {
  readonly mount: VolumeMount;
  readonly index: number;
}

function subPathOf(mount: VolumeMount, envs: readonly EnvVar[]): string {
  const { subPath = '', subPathExpr = '' } = mount;
  const path = subPathExpr === '' ? subPath : expandSubPath(mount, envs);
  if (path.startsWith('/')) throw new Error(`error SubPath \`${path}\` must not be an absolute path`);
  if (path.split('/').includes('..')) throw new Error(`unable to provision SubPath \`${path}\`: must not contain '..'`);
  return path;
}

async function volumeMount(container: Container, one: OneMount, place: MountPlace, ports: MountPorts): Promise<Mount> {
  const { mount } = one;
  const volume = place.volumes.get(mount.name);
  if (volume === undefined || volume.block)
    throw new Error(`cannot find volume ${quote(mount.name)} to mount into container ${quote(container.name)}`);
  const subPath = subPathOf(mount, place.envs);
  const image = place.imageVolumes.get(mount.name);
  const where = { volume, podDir: place.podDir, subPath };
  const hostPath = image === undefined ? await hostPathOf(container, one, where, ports) : '';
  return {
    name: mount.name,
    containerPath: absolutePath(mount.mountPath),
    hostPath,
    ...defined({ image, imageSubPath: image === undefined ? undefined : subPath }),
    propagation: propagationOf(mount),
    recursiveReadOnly: recursiveReadOnly(mount, place.supportsRecursiveReadOnly),
    readOnly: mount.readOnly === true || volume.readOnly,
    selinuxRelabel: volume.selinuxRelabel,
  };
}

/** The host path to mount. The texts of causes are dropped, because they would reveal host files to the pod's user. */
async function hostPathOf(
  { name: containerName }: Container,
  { mount, index }: OneMount,
  { volume, podDir, subPath }: { readonly volume: MountedVolume; readonly podDir: string; readonly subPath: string },
  { files, subpaths }: MountPorts,
): Promise<string> {
  if (subPath === '') return volume.path;
  const path = cleanPath(`${volume.path}/${subPath}`);
  const of = `for volumeMount ${quote(mount.name)} of container ${quote(containerName)}`;
  if (!(await mayExist(path, files))) {
    const mode = await files.modeOf(volume.path);
    await refusing(`failed to create subPath directory ${of}`, subpaths.safeMakeDir(subPath, volume.path, mode));
  }
  const prepared = subpaths.prepareSafeSubpath({
    volumeMountIndex: index,
    path,
    volumeName: volume.innerVolumeSpecName,
    volumePath: volume.path,
    podDir,
    containerName,
  });
  return refusing(`failed to prepare subPath ${of}`, prepared);
}

/** Whether the path exists. Returns true if that is unknown, so the path is not created. */
async function mayExist(path: string, files: PodFiles): Promise<boolean> {
  try {
    return await files.exists(path);
  } catch {
    return true;
  }
}

async function refusing<T>(message: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new Error(message, { cause });
  }
}

function propagationOf({ mountPropagation: mode }: VolumeMount): MountPropagation {
  switch (mode) {
    case undefined:
    case 'None':
      return MountPropagation.PROPAGATION_PRIVATE;
    case 'HostToContainer':
      return MountPropagation.PROPAGATION_HOST_TO_CONTAINER;
    case 'Bidirectional':
      return MountPropagation.PROPAGATION_BIDIRECTIONAL;
    default:
      throw new Error(`invalid MountPropagation mode: ${quote(mode)}`);
  }
}

function recursiveReadOnly(mount: VolumeMount, supported: boolean): boolean {
  try {
    return resolveRecursiveReadOnly(mount, supported);
  } catch (cause) {
    throw new Error(`failed to resolve recursive read-only mode: ${messageOfError(cause)}`, { cause });
  }
}

/**
 * Whether a mount is recursively read-only. Throws Error with upstream's text if the runtime does not support that or the mount does not
 * permit it.
 */
export function resolveRecursiveReadOnly(mount: VolumeMount, supported: boolean): boolean {
  const { recursiveReadOnly: mode, mountPropagation, name } = mount;
  if (mode === undefined || mode === 'Disabled') return false;
  const asked = `volume ${quote(name)} requested recursive read-only mode, but it is`;
  if (mount.readOnly !== true) throw new Error(`${asked} not read-only`);
  if (mountPropagation !== undefined && mountPropagation !== 'None')
    throw new Error(`${asked} not compatible with propagation ${quote(mountPropagation)}`);
  if (mode === 'IfPossible') return supported;
  if (mode !== 'Enabled') throw new Error(`unknown recursive read-only mode ${quote(mode)}`);
  if (!supported) throw new Error(`${asked} not supported by the runtime`);
  return true;
}

const HOSTS_MODE = 0o644;

/** Writes the pod's hosts file and mounts it. */
async function hostsMount({ spec }: Pod, { podDir, ...names }: MountPlace, files: PodFiles): Promise<Mount> {
  const hostPath = `${podDir}/etc-hosts`;
  const aliases = spec.hostAliases ?? [];
  const content =
    spec.hostNetwork === true
      ? nodeHostsFileContent(new TextDecoder().decode(await files.read(ETC_HOSTS)), aliases)
      : managedHostsFileContent({ ...names, aliases });
  await files.write(hostPath, content, HOSTS_MODE);
  return { name: 'k8s-managed-etc-hosts', containerPath: ETC_HOSTS, hostPath, readOnly: false, selinuxRelabel: true };
}
