import type { Pod } from '#lib/api/types/core.v1.ts';
import { aggregateText } from '#lib/machinery/aggregate.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import { LinuxContainerResources } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { type ResourceConfig, resourceConfigForPod } from '../cm/cgroup/resource-config.ts';
import { podText } from '../container/container-ref.ts';
import { overheadResources } from './linux-resources.ts';
import type { PodActions } from './pod-actions.ts';
import {
  decreasingMemoryLimits,
  givenResources,
  inOrder,
  type ResizableResource,
  resizedResources,
  updateResourcesRequest,
} from './resize.ts';
import type { RuntimePorts } from './runtime-ports.ts';
import { withoutOverhead } from './without-overhead.ts';

/** Whether a sync has resources to resize in place. */
export const needsResize = (actions: PodActions): boolean =>
  actions.resizes.length > 0 || actions.updatePodResources || actions.updatePodLevelResources;

/**
 * Sets the resources of the pod's cgroup and its running containers from its spec (upstream: doPodResizeAction). It resizes memory before
 * CPU. The cgroup grows before the containers, and shrinks after them. Rejects with upstream's text, possibly after some steps. The next
 * sync continues.
 */
export async function doPodResize(ports: RuntimePorts, pod: Pod, actions: PodActions): Promise<void> {
  const { settings, podCgroups, helper } = ports;
  const config = async (resource: ResizableResource): Promise<ResourceConfig> =>
    podCgroups.config(pod, resource).catch((error: unknown) => {
      ports.report(`the ${resource} of the cgroup of pod ${podText(pod)} cannot be read`, error);
      throw new Error(`unable to get pod cgroup ${resource} config for pod ${quote(podText(pod))}`, { cause: error });
    });
  const asked = resourceConfigForPod(pod, {
    enforceCPULimits: settings.cpuCFSQuota && !settings.hasExclusiveCPUs(pod),
    cpuCFSQuotaPeriod: BigInt(settings.cpuCFSQuotaPeriod),
  });
  const held = { ...(await config('memory')), ...(await config('cpu')) };
  const resize = new CgroupResize(ports, pod, { sandboxID: actions.sandboxID, asked, current: { ...asked, ...held } });
  await checkMemory(ports, pod, actions, { asked, held });
  try {
    for (const resource of ['memory', 'cpu'] as const) await resizeBy(ports, resize, actions, resource);
  } finally {
    helper.requestPodReinspect(uidOf(pod)); // a part may have succeeded
  }
}

/** Resizes one resource of the cgroup and the containers. */
async function resizeBy(
  ports: RuntimePorts,
  resize: CgroupResize,
  actions: PodActions,
  resource: ResizableResource,
): Promise<void> {
  const { pod } = resize;
  const resizes = inOrder(actions.resizes, resource);
  if (resizes.length === 0 && !actions.updatePodResources && !actions.updatePodLevelResources) return;
  const limits = resize.change(resource, 'limit');
  const requests = resize.change(resource, 'request');
  if (limits > 0n) await resize.set(resource, 'limit');
  if (requests > 0n) await resize.set(resource, 'request');
  for (const one of resizes) {
    await ports.runtime.updateContainerResources(
      updateResourcesRequest(pod, one, { resource, settings: ports.settings }),
    );
    const container = { ...one.container, resources: resizedResources(one, resource) };
    await ports.actuated.setContainerResources(uidOf(pod), container.name, givenResources(pod, container));
  }
  if (requests < 0n) await resize.set(resource, 'request');
  if (limits < 0n) await resize.set(resource, 'limit');
  if (actions.updatePodLevelResources) await actuatePodLevel(ports, pod, resource);
}

/** Records the pod-level CPU or memory that was set. */
async function actuatePodLevel({ actuated }: RuntimePorts, pod: Pod, resource: ResizableResource): Promise<void> {
  const given = pod.spec.resources;
  if (given === undefined) return;
  const before = actuated.podResources(uidOf(pod))?.pod ?? {};
  const list = (name: 'limits' | 'requests') => {
    const own = given[name];
    const held = before[name];
    if (own === undefined) return held === undefined ? {} : { [name]: held };
    return { [name]: { ...held, [resource]: own[resource] ?? '0' } };
  };
  await actuated.setPodLevelResources(uidOf(pod), { ...before, ...list('limits'), ...list('requests') });
}

/** The resize of a pod's cgroup in steps. */
class CgroupResize {
  readonly pod: Pod;
  readonly #ports: RuntimePorts;
  readonly #sandboxID: string;
  readonly #asked: ResourceConfig;
  #current: ResourceConfig;

  constructor(
    ports: RuntimePorts,
    pod: Pod,
    config: { readonly sandboxID: string; readonly asked: ResourceConfig; readonly current: ResourceConfig },
  ) {
    this.pod = pod;
    this.#ports = ports;
    this.#sandboxID = config.sandboxID;
    this.#asked = config.asked;
    this.#current = config.current;
  }

  /** The increase of a setting. A limit that was removed from the pod stays unchanged. Memory requests have no setting. */
  change(resource: ResizableResource, kind: 'limit' | 'request'): bigint {
    const field = fieldOf(resource, kind);
    if (field === undefined) return 0n;
    const before = this.#current[field] ?? 0n;
    return (this.#asked[field] ?? before) - before;
  }

  /** Notifies the runtime first, because it may refuse. */
  async set(resource: ResizableResource, kind: 'limit' | 'request'): Promise<void> {
    const { podCgroups, report } = this.#ports;
    const config = settingsOf(this.#asked, resource, kind);
    const merged = { ...this.#current, ...config };
    await this.#tell(merged).catch((error: unknown) => {
      const refused = `failed to notify runtime for UpdatePodSandboxResources (resource=${resource}); resize rejected`;
      throw new Error(`${refused}: ${messageOfError(error)}`, { cause: error });
    });
    try {
      await podCgroups.setConfig(this.pod, config);
    } catch (error) {
      await this.#tell(this.#current).catch((failure: unknown) =>
        report(`the runtime does not take back the resize of pod ${podText(this.pod)}`, failure),
      );
      throw error;
    }
    this.#current = merged;
  }

  /** Skips runtimes that do not implement the call. */
  async #tell(config: ResourceConfig): Promise<void> {
    const { memory, cpuShares, cpuQuota, cpuPeriod } = withoutOverhead(config, this.pod);
    const resources = LinuxContainerResources.fromPartial({
      cpuPeriod: cpuPeriod ?? 0n,
      cpuQuota: cpuQuota ?? 0n,
      cpuShares: cpuShares ?? 0n,
      memoryLimitInBytes: memory ?? 0n,
    });
    const overhead = overheadResources(this.pod, this.#ports.settings);
    const podSandboxId = this.#sandboxID;
    try {
      await this.#ports.runtime.updatePodSandboxResources({ podSandboxId, overhead, resources });
    } catch (error) {
      if (error instanceof RpcError && isUnimplemented(error)) return;
      const message = `updatePodSandboxResources failed for sanboxID ${quote(podSandboxId)}: ${messageOfError(error)}`;
      throw new Error(message, { cause: error });
    }
  }
}

/** containerd 2.2 returns Unknown. */
const isUnimplemented = ({ code, details }: RpcError): boolean =>
  code === 'Unimplemented' || (code === 'Unknown' && details.includes('not implemented'));

function fieldOf(
  resource: ResizableResource,
  kind: 'limit' | 'request',
): 'memory' | 'cpuQuota' | 'cpuShares' | undefined {
  if (resource === 'cpu') return kind === 'limit' ? 'cpuQuota' : 'cpuShares';
  return kind === 'limit' ? 'memory' : undefined;
}

/** The settings that one step changes. They include the limits of huge pages, because a cgroup update without them clears them. */
function settingsOf(asked: ResourceConfig, resource: ResizableResource, kind: 'limit' | 'request'): ResourceConfig {
  const { memory, cpuShares, cpuQuota, cpuPeriod, hugePageLimits } = asked;
  const pages = hugePageLimits === undefined ? {} : { hugePageLimits };
  if (resource === 'memory') return { ...pages, ...(memory === undefined ? {} : { memory }) };
  if (kind === 'request') return { ...pages, ...(cpuShares === undefined ? {} : { cpuShares }) };
  return {
    ...pages,
    ...(cpuQuota === undefined ? {} : { cpuQuota }),
    ...(cpuPeriod === undefined ? {} : { cpuPeriod }),
  };
}

/**
 * Rejects memory limits below the current usage. The kernel would otherwise kill processes, or the resize would fail halfway (upstream:
 * validateMemoryResizeAction).
 */
async function checkMemory(
  { helper }: RuntimePorts,
  pod: Pod,
  actions: PodActions,
  { asked, held }: { readonly asked: ResourceConfig; readonly held: ResourceConfig },
): Promise<void> {
  if (inOrder(actions.resizes, 'memory').length === 0 && !actions.updatePodResources) return;
  const limits = decreasingMemoryLimits(actions.resizes);
  const podLimit = asked.memory !== undefined && (held.memory === undefined || asked.memory < held.memory);
  if (!podLimit && limits.size === 0) return;
  const usage = await helper.podMemoryUsage(pod).catch((error: unknown) => {
    throw new Error(`unable to read memory usage for pod ${quote(podText(pod))}`, { cause: error });
  });
  const faults: string[] = [];
  if (podLimit && usage.pod === undefined) faults.push('missing pod memory usage');
  else if (podLimit && usage.pod !== undefined && usage.pod >= asked.memory)
    faults.push(`attempting to set pod memory limit (${asked.memory}) below current usage (${usage.pod})`);
  for (const [name, bytes] of usage.containers) {
    const limit = limits.get(name);
    if (limit === undefined) continue;
    if (bytes === undefined) faults.push(`missing container ${quote(name)} memory usage`);
    else if (bytes >= limit)
      faults.push(
        // Upstream reports the usage of the pod.
        `attempting to set container ${quote(name)} memory limit (${limit}) below current usage (${usage.pod ?? bytes})`,
      );
  }
  if (faults.length > 0) throw new Error(`cannot decrease memory limits: ${aggregateText(faults)}`);
}
