import type { Pod } from '#lib/api/types/core.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { milliValue, wholeValue } from '#lib/machinery/resource/quantities.ts';
import type { ResourceConfig } from '../cm/cgroup/resource-config.ts';
import { milliCPUToQuota, milliCPUToShares, sharesToMilliCPU } from '../cm/cpu-shares.ts';

/** The settings of a pod's cgroup minus the pod's overhead: those for its containers (upstream: subtractOverheadFromResourceConfig). */
export function withoutOverhead(config: ResourceConfig, { spec: { overhead } }: Pod): ResourceConfig {
  const cpu = ownField(overhead, 'cpu');
  const memory = ownField(overhead, 'memory');
  const { cpuPeriod, cpuQuota, cpuShares } = config;
  const milliCPU = milliValue(cpu ?? '0');
  return {
    ...config,
    ...(cpu !== undefined && cpuPeriod !== undefined && cpuQuota !== undefined
      ? { cpuQuota: cpuQuota - milliCPUToQuota(milliCPU, cpuPeriod) }
      : {}),
    ...(cpu !== undefined && cpuShares !== undefined
      ? { cpuShares: milliCPUToShares(sharesToMilliCPU(cpuShares) - milliCPU) }
      : {}),
    ...(memory !== undefined && config.memory !== undefined ? { memory: config.memory - wholeValue(memory) } : {}),
  };
}
