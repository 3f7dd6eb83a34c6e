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

/** The settings of a cgroup (upstream: ResourceConfig). Absent settings stay unchanged. */
export interface ResourceConfig {
  /** Memory limit in bytes. */
  readonly memory?: bigint;
  readonly cpuShares?: bigint;
  /** CPU quota in microseconds per period, -1 for no limit. */
  readonly cpuQuota?: bigint;
  /** CPU period in microseconds. */
  readonly cpuPeriod?: bigint;
  /** Limits of huge pages in bytes, by page size in the kernel's notation (`2MB`). Absent sizes get a limit of zero. */
  readonly hugePageLimits?: ReadonlyMap<string, bigint>;
  readonly pidsLimit?: bigint;
}

/** The minimum number of shares, which best-effort pods get. */
export const MIN_SHARES = 2n;

/** The node's settings for the cgroup of a pod. */
export interface PodCgroupSettings {
  /** Whether CPU limits are enforced: `cpuCFSQuota` is set and the pod has no exclusive CPUs. */
  readonly enforceCPULimits: boolean;
  /** CFS quota period in microseconds. */
  readonly cpuCFSQuotaPeriod: bigint;
}

/** The cgroup settings of a pod (upstream: ResourceConfigForPod). The containers' limits apply to the pod if all containers have one. */
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

/** Whether every container, or the pod as a whole, has a limit for a resource. */
function isLimited(pod: Pod, name: 'cpu' | 'memory'): boolean {
  const has = (limits: Usage): boolean => signOf(limits.get(name) ?? '0') !== 0;
  return (
    has(usageOf(pod.spec.resources?.limits)) ||
    containersOf(pod).every(({ resources }) => has(usageOf(resources.limits)))
  );
}

/** Limits of huge pages in bytes, by page size. */
function hugePageLimitsOf(amounts: Usage): ReadonlyMap<string, bigint> {
  const limits = new Map<string, bigint>();
  for (const [name, amount] of amounts) {
    const page = name.slice('hugepages-'.length);
    const size = isHugePages(name) && isQuantity(page) ? unitSize(wholeValue(page)) : undefined;
    if (size !== undefined) limits.set(size, (limits.get(size) ?? 0n) + wholeValue(amount));
  }
  return limits;
}

/** The cgroup settings that limit all pods, or the system, to amounts of resources. `compressibleOnly` limits only CPU. */
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
