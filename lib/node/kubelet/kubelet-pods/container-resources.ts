import type { Container, ContainerStatus, ResourceRequirements } from '#lib/api/types/core.v1.ts';
import type { Quantity } from '#lib/api/types/scalars.ts';
import { clone, ownField, setField } from '#lib/machinery/json-value.ts';
import { signOf } from '#lib/machinery/resource/quantities.ts';
import { parseQuantity, quantityMilliValue, quantityText } from '#lib/machinery/resource/quantity.ts';
import { quotaToMilliCPU, sharesToMilliCPU } from '../cm/cpu-shares.ts';
import type { RuntimeContainerStatus } from '../container/runtime.ts';

/** The minimum CPU shares and CPU limit (in millicores) that the kernel accepts. Below them the status shows the spec's value. */
const MIN_SHARES = 2n;
const MIN_MILLI_CPU_LIMIT = 10n;

type Resource = 'cpu' | 'memory';

/** A container's resources according to the runtime, in millicores and bytes. */
interface Actual {
  readonly limits: Partial<Record<Resource, Quantity>>;
  readonly requests: Partial<Record<Resource, Quantity>>;
}

/**
 * The resources of a container: the allocated ones, replaced by the actual ones while it runs. Values that the runtime does not report keep
 * their last reported value for the same run (upstream: convertContainerStatusResources).
 */
export function containerResources(
  { resources: allocated }: Container,
  status: ContainerStatus,
  actual: RuntimeContainerStatus,
  old: ContainerStatus | undefined,
): ResourceRequirements {
  const resources = clone(allocated);
  if (actual.state !== 'running') return resources;
  const isSameRun = old?.state.running !== undefined && old.containerID === status.containerID;
  const before = isSameRun ? old.resources : undefined;
  const { limits, requests } = actualOf(actual);
  const least = { limits: MIN_MILLI_CPU_LIMIT, requests: MIN_SHARES };
  for (const [list, told] of [['limits', limits] as const, ['requests', requests] as const]) {
    const shown = resources[list];
    if (shown === undefined) continue;
    for (const name of ['cpu', 'memory'] as const) {
      const value = told[name] ?? ownField(before?.[list], name);
      const isTooSmall = name === 'cpu' && told[name] !== undefined && isBelow(least[list], told[name], shown['cpu']);
      if (value !== undefined && !isTooSmall) setField(shown, name, value);
    }
  }
  return resources;
}

/** Whether both values are at or below the minimum. */
const isBelow = (least: bigint, ...values: readonly (Quantity | undefined)[]): boolean =>
  values.every((value) => value === undefined || quantityMilliValue(parseQuantity(value)) <= least);

/**
 * The resources from the runtime. Values that it does not report come from the last resources that were set (upstream:
 * toKubeContainerStatus).
 */
function actualOf(status: RuntimeContainerStatus): Actual {
  const { limits, requests } = toldOf(status);
  const given = status.actuatedResources;
  if (given === undefined) return { limits, requests };
  const amount = (list: 'limits' | 'requests', name: Resource): Quantity => ownField(given[list], name) ?? '0';
  const amounts = (list: 'limits' | 'requests') => ({ cpu: amount(list, 'cpu'), memory: amount(list, 'memory') });
  if ((limits.cpu ?? limits.memory ?? requests.cpu) === undefined)
    return { limits: amounts('limits'), requests: amounts('requests') };
  const memory = amount('requests', 'memory');
  return { limits, requests: { ...requests, ...(signOf(memory) === 0 ? {} : { memory }) } };
}

/** Upstream's toKubeContainerResources: converts shares and quotas to CPUs. */
function toldOf({ resources }: RuntimeContainerStatus): Actual {
  const { cpuPeriod = 0n, cpuQuota = 0n, cpuShares = 0n, memoryLimitInBytes = 0n } = resources?.linux ?? {};
  const limit = cpuPeriod > 0n ? quotaToMilliCPU(cpuQuota, cpuPeriod) : 0n;
  const request = sharesToMilliCPU(cpuShares);
  return {
    limits: {
      ...(limit > 0n ? { cpu: quantityText({ unscaled: limit, scale: -3, format: 'DecimalSI' }) } : {}),
      ...(memoryLimitInBytes > 0n
        ? { memory: quantityText({ unscaled: memoryLimitInBytes, scale: 0, format: 'BinarySI' }) }
        : {}),
    },
    requests: request > 0n ? { cpu: quantityText({ unscaled: request, scale: -3, format: 'DecimalSI' }) } : {},
  };
}
