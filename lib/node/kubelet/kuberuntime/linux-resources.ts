import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import type { Quantity } from '#lib/api/types/scalars.ts';
import { hasPodLevelResources, podResources } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import { usageOf } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { milliValue, signOf, wholeValue } from '#lib/machinery/resource/quantities.ts';
import { LinuxContainerResources } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { milliCPUToQuota, milliCPUToShares } from '../cm/cpu-shares.ts';
import { containerOOMScoreAdjust } from '../qos/policy.ts';
import type { ConfigSettings } from './config-settings.ts';
import { hugepageLimits } from './hugepages.ts';
import { swapResources } from './swap.ts';

/** The requests and limits from which the kernel's settings are computed. */
interface Amounts {
  readonly cpuRequest: Quantity | undefined;
  readonly cpuLimit: Quantity | undefined;
  readonly memoryLimit: Quantity | undefined;
  readonly exclusiveCPUs: boolean;
}

/** The kernel's settings for requests and limits (upstream: calculateLinuxResources). */
function linuxResources(
  { cpuRequest, cpuLimit = '0', memoryLimit = '0', exclusiveCPUs }: Amounts,
  settings: ConfigSettings,
): LinuxContainerResources {
  const { cpuCFSQuota, cgroupV2, singleProcessOOMKill } = settings;
  const period = BigInt(settings.cpuCFSQuotaPeriod);
  const quota = exclusiveCPUs ? -1n : milliCPUToQuota(milliValue(cpuLimit), period);
  return LinuxContainerResources.fromPartial({
    cpuShares: milliCPUToShares(milliValue(cpuRequest ?? cpuLimit)),
    memoryLimitInBytes: wholeValue(memoryLimit),
    ...(cpuCFSQuota ? { cpuPeriod: period, cpuQuota: quota } : {}),
    ...(cgroupV2 && !singleProcessOOMKill ? { unified: { 'memory.oom.group': '1' } } : {}),
  });
}

/** A container's CPU or memory limit, or else the pod's. */
function limitOf({ spec }: Pod, { resources }: Container, name: 'cpu' | 'memory'): Quantity | undefined {
  const own = ownField(resources.limits, name);
  if (signOf(own ?? '0') !== 0 || !hasPodLevelResources(spec)) return own;
  return ownField(spec.resources?.limits, name);
}

/**
 * The resources of a container for the runtime (upstream: generateLinuxContainerResources). A resize of a running container also uses them.
 */
export function containerLinuxResources(
  pod: Pod,
  container: Container,
  settings: ConfigSettings,
): LinuxContainerResources {
  const amounts = {
    cpuRequest: ownField(container.resources.requests, 'cpu'),
    cpuLimit: limitOf(pod, container, 'cpu'),
    memoryLimit: limitOf(pod, container, 'memory'),
    exclusiveCPUs: settings.hasExclusiveCPUs(pod, container),
  };
  const resources = linuxResources(amounts, settings);
  const swap = swapResources(pod, container, { settings, memoryLimit: resources.memoryLimitInBytes });
  return {
    ...resources,
    ...swap,
    oomScoreAdj: containerOOMScoreAdjust(pod, container, BigInt(settings.memoryCapacity)),
    hugepageLimits: hugepageLimits(pod, container, settings.hugePageSizes),
    unified: { ...resources.unified, ...swap.unified },
  };
}

/** The resources of a sandbox, for runtimes that size it: the sum of all containers (upstream: calculateSandboxResources). */
export function sandboxResources(pod: Pod, settings: ConfigSettings): LinuxContainerResources {
  const { overhead: _, ...spec } = pod.spec;
  const asked: Pod = { ...pod, spec, status: {} };
  const limits = podResources(asked, 'limits');
  const amounts = {
    cpuRequest: podResources(asked, 'requests').get('cpu'),
    cpuLimit: limits.get('cpu'),
    memoryLimit: limits.get('memory'),
    exclusiveCPUs: settings.hasExclusiveCPUs(pod),
  };
  return linuxResources(amounts, settings);
}

/** The overhead of a pod's sandbox, as both request and limit. Empty for a pod without overhead. */
export function overheadResources({ spec }: Pod, settings: ConfigSettings): LinuxContainerResources {
  if (spec.overhead === undefined) return LinuxContainerResources.fromPartial({});
  const overhead = usageOf(spec.overhead);
  const cpu = overhead.get('cpu') ?? '0';
  const amounts = { cpuRequest: cpu, cpuLimit: cpu, memoryLimit: overhead.get('memory'), exclusiveCPUs: false };
  return linuxResources(amounts, settings);
}
