import {
  type ContainerConfig,
  Device,
  KeyValue,
  LinuxContainerSecurityContext,
  Mount,
  MountPropagation,
} from '#lib/node/cri-api/generated/runtime-v1.ts';
import { CDIRegistry, type CDISpecSource } from './registry.ts';
import type { ContainerEdits } from './spec.ts';

type Edit<K extends 'mounts' | 'deviceNodes'> = ContainerEdits[K][number];

const PROPAGATION: Readonly<Record<string, MountPropagation>> = {
  private: MountPropagation.PROPAGATION_PRIVATE,
  rprivate: MountPropagation.PROPAGATION_PRIVATE,
  slave: MountPropagation.PROPAGATION_HOST_TO_CONTAINER,
  rslave: MountPropagation.PROPAGATION_HOST_TO_CONTAINER,
  shared: MountPropagation.PROPAGATION_BIDIRECTIONAL,
  rshared: MountPropagation.PROPAGATION_BIDIRECTIONAL,
};
/** Mount options that the runtime sets anyway, or that a bind mount from the host does not need. */
const WITHOUT_EFFECT = ['bind', 'rbind', 'ro', 'rw', 'nosuid', 'nodev'];

/**
 * Applies the CDI devices of a container to its configuration, for runtimes without CDI, and removes their names. Throws Error for unknown
 * devices. Throws Error for edits that CRI cannot express: hooks, network devices, Intel RDT, owners and modes of device nodes, and mount
 * types.
 */
export async function applyCDIDevices(config: ContainerConfig, source: CDISpecSource): Promise<void> {
  const names = config.CDIDevices.map(({ name }) => name);
  if (names.length === 0) return;
  const edits = (await CDIRegistry.load(source)).editsFor(names);
  for (const edit of edits) refuseInexpressible(edit);
  for (const edit of edits) apply(config, edit);
  config.mounts = config.mounts.toSorted((a, b) => depth(a.containerPath) - depth(b.containerPath));
  config.CDIDevices = [];
}

function apply(config: ContainerConfig, { env, deviceNodes, mounts, additionalGids }: ContainerEdits): void {
  for (const text of env) {
    const key = text.slice(0, text.indexOf('='));
    const value = Buffer.from(text.slice(key.length + 1));
    config.envs = [...config.envs.filter((one) => one.key !== key), KeyValue.fromPartial({ key, value })];
  }
  for (const node of deviceNodes) {
    const rest = config.devices.filter(({ containerPath }) => containerPath !== node.path);
    config.devices = [...rest, deviceOf(node)];
  }
  for (const mount of mounts) {
    const rest = config.mounts.filter(({ containerPath }) => containerPath !== mount.containerPath);
    config.mounts = [...rest, mountOf(mount)];
  }
  if (additionalGids.length === 0 || config.linux === undefined) return;
  config.linux.securityContext ??= LinuxContainerSecurityContext.fromPartial({});
  const { securityContext } = config.linux;
  const groups = additionalGids.filter((gid) => gid !== 0).map(BigInt);
  securityContext.supplementalGroups = [...new Set([...securityContext.supplementalGroups, ...groups])];
}

const deviceOf = ({ path, hostPath, permissions }: Edit<'deviceNodes'>): Device =>
  Device.fromPartial({ containerPath: path, hostPath: hostPath ?? path, permissions: permissions || 'rwm' });

function mountOf({ hostPath, containerPath, options }: Edit<'mounts'>): Mount {
  const known = options.flatMap((option) => PROPAGATION[option] ?? []);
  const propagation = known[0] ?? MountPropagation.PROPAGATION_PRIVATE;
  return Mount.fromPartial({ hostPath, containerPath, readonly: options.includes('ro'), propagation });
}

const depth = (path: string): number => path.split('/').filter((part) => part !== '').length;

function refuseInexpressible({ hooks, netDevices, intelRdt, deviceNodes, mounts }: ContainerEdits): void {
  const refuse = (what: string): never => {
    throw new Error(`CDI device wants ${what}, which the container runtime interface cannot express`);
  };
  if (hooks.length > 0) refuse('OCI hooks');
  if (netDevices.length > 0) refuse('network devices');
  if (intelRdt !== undefined) refuse('Intel RDT');
  for (const { path, uid, gid, fileMode } of deviceNodes) {
    if (uid !== undefined || gid !== undefined || fileMode !== undefined) refuse(`an owner or mode of ${path}`);
  }
  for (const { containerPath, type, options } of mounts) {
    if (!['', 'none', 'bind'].includes(type)) refuse(`a mount of type ${type} at ${containerPath}`);
    const unknown = options.find((option) => !WITHOUT_EFFECT.includes(option) && !Object.hasOwn(PROPAGATION, option));
    if (unknown !== undefined) refuse(`a mount with option ${unknown} at ${containerPath}`);
  }
}
