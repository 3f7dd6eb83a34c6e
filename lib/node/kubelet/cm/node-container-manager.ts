import type { Usage } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import type { EventSubject, NodeEventRecorder } from '../events/recorder.ts';
import type { CgroupManager } from './cgroup/cgroup-manager.ts';
import type { CgroupName } from './cgroup/cgroup-name.ts';
import { resourceConfigForAmounts } from './cgroup/resource-config.ts';
import { existsCgroup } from './qos-container-manager.ts';

/** Delay in ms until limits that the kernel rejected are set again. */
const RETRY = 60_000;
const ENFORCED = 'NodeAllocatableEnforced';
const FAILED = 'FailedNodeAllocatableEnforcement';

/** The settings and ports for the limits of all pods together. */
export interface NodeContainerConfig {
  readonly cgroups: CgroupManager;
  /** The cgroup of all pods. */
  readonly root: CgroupName;
  /** The total resources of all pods: allocatable if `pods` is enforced, else the capacity. */
  readonly amounts: Usage;
  readonly recorder: NodeEventRecorder;
  readonly node: EventSubject;
  readonly clock: Clock;
}

/** Creates the cgroup of all pods, unless it exists (upstream: createNodeAllocatableCgroups). */
export async function createNodeAllocatableCgroups({ cgroups, root, amounts }: NodeContainerConfig): Promise<void> {
  if (await existsCgroup(cgroups, root)) return;
  await cgroups.create(root, resourceConfigForAmounts(amounts, false));
}

/**
 * Limits all pods together. Retries every minute until the kernel accepts it, because pods may exceed the limit until they are evicted.
 * Resolves after the limit is set or the signal aborts.
 */
export async function enforceNodeAllocatable(config: NodeContainerConfig, signal: AbortSignal): Promise<void> {
  const { cgroups, root, amounts, recorder, node, clock } = config;
  while (!signal.aborted) {
    try {
      await cgroups.update(root, resourceConfigForAmounts(amounts, false));
      recorder.event(node, 'Normal', ENFORCED, 'Updated Node Allocatable limit across pods');
      return;
    } catch (error) {
      const name = `[${root.map(quote).join(' ')}]`;
      recorder.event(
        node,
        'Warning',
        FAILED,
        `Failed to update Node Allocatable Limits ${name}: ${messageOfError(error)}`,
      );
      await clock.sleep(RETRY, signal);
    }
  }
}

/** A reservation for a cgroup that the administrator created. */
export interface ReservedCgroup {
  readonly kind: 'system' | 'kube';
  /** The path of the cgroup, in the driver's format. */
  readonly cgroup: string;
  readonly reserved: Usage;
  /** Limits only CPU. */
  readonly compressibleOnly: boolean;
}

/** Limits the cgroup of the system or the kubelet to its reservation. Rejects with upstream's text, and records an event. */
export async function enforceReserved(
  { cgroups, recorder, node }: Pick<NodeContainerConfig, 'cgroups' | 'recorder' | 'node'>,
  { kind, cgroup, reserved, compressibleOnly }: ReservedCgroup,
): Promise<void> {
  try {
    const name = cgroups.name(cgroup);
    await cgroups.validate(name);
    await cgroups.update(name, resourceConfigForAmounts(reserved, compressibleOnly));
  } catch (error) {
    const what = `${kind === 'system' ? 'System' : 'Kube'} Reserved${compressibleOnly ? ' Compressible' : ''}`;
    const message = `Failed to enforce ${what} Cgroup Limits on ${quote(cgroup)}: ${messageOfError(error)}`;
    recorder.event(node, 'Warning', FAILED, message);
    throw new Error(message, { cause: error });
  }
  recorder.event(node, 'Normal', ENFORCED, `Updated limits on ${kind} reserved cgroup ${cgroup}`);
}
