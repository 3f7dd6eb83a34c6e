import type { Usage } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import type { EventSubject, NodeEventRecorder } from '../events/recorder.ts';
import type { CgroupManager } from './cgroup/cgroup-manager.ts';
import type { CgroupName } from './cgroup/cgroup-name.ts';
import { resourceConfigForAmounts } from './cgroup/resource-config.ts';
import { existsCgroup } from './qos-container-manager.ts';

/** Milliseconds until limits that the kernel refused are set again. */
const RETRY = 60_000;
const ENFORCED = 'NodeAllocatableEnforced';
const FAILED = 'FailedNodeAllocatableEnforcement';

/** The surroundings of the bound of all pods. */
export interface NodeContainerConfig {
  readonly cgroups: CgroupManager;
  /** The cgroup of all pods. */
  readonly root: CgroupName;
  /** The resources that all pods may have together: the allocatable resources where `pods` is enforced, else the capacity. */
  readonly amounts: Usage;
  readonly recorder: NodeEventRecorder;
  readonly node: EventSubject;
  readonly clock: Clock;
}

/** Makes the cgroup of all pods where it is not there (upstream: createNodeAllocatableCgroups). */
export async function createNodeAllocatableCgroups({ cgroups, root, amounts }: NodeContainerConfig): Promise<void> {
  if (await existsCgroup(cgroups, root)) return;
  await cgroups.create(root, resourceConfigForAmounts(amounts, false));
}

/**
 * Bounds all pods together. Tries each minute until the kernel accepts it: pods may use more memory than the bound until they are
 * evicted. Resolves once the bound is set, or the signal aborts.
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

/** A reservation that bounds a cgroup which the administrator made. */
export interface ReservedCgroup {
  readonly kind: 'system' | 'kube';
  /** The path of the cgroup, in the driver's form. */
  readonly cgroup: string;
  readonly reserved: Usage;
  /** Bounds CPU alone. */
  readonly compressibleOnly: boolean;
}

/** Bounds the system's or the kubelet's own cgroup to its reservation. Rejects with upstream's text, and tells an event. */
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
