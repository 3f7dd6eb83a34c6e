import type { Pod } from '#lib/api/types/core.v1.ts';
import { podResources } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import { type Usage, usageOf } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import { isHugePages } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { defined } from '#lib/machinery/defined.ts';
import { isQuantity, milliValue, signOf, wholeValue } from '#lib/machinery/resource/quantities.ts';
import { unitSize } from '../../kuberuntime/hugepages.ts';
import { qosClassOf } from '../../qos/policy.ts';
import { containersOf } from '../active-containers.ts';
import { milliCPUToQuota, milliCPUToShares } from '../cpu-shares.ts';

/** The settings of a cgroup (upstream: ResourceConfig). Those that are absent stay as they are. */
export interface ResourceConfig {
  /** Bytes. */
  readonly memory?: bigint;
  readonly cpuShares?: bigint;
  /** Microseconds in a period, -1 for no bound. */
  readonly cpuQuota?: bigint;
  /** Microseconds. */
  readonly cpuPeriod?: bigint;
  /** Bytes by size of pages as the kernel names it (`2MB`); sizes that are absent get none. */
  readonly hugePageLimits?: ReadonlyMap<string, bigint>;
  readonly pidsLimit?: bigint;
}

/** The least shares: those of best-effort pods. */
export const MIN_SHARES = 2n;

/** The settings of the node that decide the cgroup of a pod. */
export interface PodCgroupSettings {
  /** Whether limits of CPU are enforced: `cpuCFSQuota`, and the pod has no CPUs of its own. */
  readonly enforceCPULimits: boolean;
  /** Microseconds. */
  readonly cpuCFSQuotaPeriod: bigint;
}

/** The cgroup's settings of a pod (upstream: ResourceConfigForPod). The containers' limits bound the pod where all have one. */
export function resourceConfigForPod(pod: Pod, settings: PodCgroupSettings): ResourceConfig {
  const asked: Pod = { ...pod, status: {} };
  const requests = podResources(asked, 'requests');
  const limits = podResources(asked, 'limits');
  const hugePageLimits = hugePageLimitsOf(requests);
  const qos = qosClassOf(pod);
  if (qos === 'BestEffort') return { cpuShares: MIN_SHARES, hugePageLimits };
  const cpuPeriod = settings.cpuCFSQuotaPeriod;
  const cpuQuota = settings.enforceCPULimits ? milliCPUToQuota(milliValue(limits.get('cpu') ?? '0'), cpuPeriod) : -1n;
  return {
    cpuShares: milliCPUToShares(milliValue(requests.get('cpu') ?? '0')),
    ...(qos === 'Guaranteed' || isLimited(pod, 'cpu') ? { cpuQuota, cpuPeriod } : {}),
    ...(qos === 'Guaranteed' || isLimited(pod, 'memory') ? { memory: wholeValue(limits.get('memory') ?? '0') } : {}),
    hugePageLimits,
  };
}

/** Whether every container, or the pod as a whole, limits a resource. */
function isLimited(pod: Pod, name: 'cpu' | 'memory'): boolean {
  const has = (limits: Usage): boolean => signOf(limits.get(name) ?? '0') !== 0;
  return (
    has(usageOf(pod.spec.resources?.limits)) ||
    containersOf(pod).every(({ resources }) => has(usageOf(resources.limits)))
  );
}

/** Bytes of huge pages by size. */
function hugePageLimitsOf(amounts: Usage): ReadonlyMap<string, bigint> {
  const limits = new Map<string, bigint>();
  for (const [name, amount] of amounts) {
    const page = name.slice('hugepages-'.length);
    const size = isHugePages(name) && isQuantity(page) ? unitSize(wholeValue(page)) : undefined;
    if (size !== undefined) limits.set(size, (limits.get(size) ?? 0n) + wholeValue(amount));
  }
  return limits;
}

/** The cgroup's settings that bound all pods, or the system, to amounts of resources. `compressibleOnly`: CPU alone. */
export function resourceConfigForAmounts(amounts: Usage, compressibleOnly: boolean): ResourceConfig {
  const of = (name: string): string | undefined => amounts.get(name);
  const [cpu, memory, pids] = [of('cpu'), of('memory'), of('pid')];
  const cpuShares = cpu === undefined ? undefined : milliCPUToShares(milliValue(cpu));
  if (compressibleOnly) return defined({ cpuShares });
  return defined({
    memory: memory === undefined ? undefined : wholeValue(memory),
    cpuShares,
    pidsLimit: pids === undefined ? undefined : wholeValue(pids),
    hugePageLimits: hugePageLimitsOf(amounts),
  });
}
