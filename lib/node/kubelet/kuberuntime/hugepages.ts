import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { hasPodLevelResources } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import { usageOf } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import { isHugePages } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { isQuantity, wholeValue } from '#lib/machinery/resource/quantities.ts';
import type { HugepageLimit } from '#lib/node/cri-api/generated/runtime-v1.ts';

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];

/** The size of a page in the notation of the kernel's cgroups, such as `2MB`. Undefined for a size without such a name. */
export function unitSize(bytes: bigint): string | undefined {
  let [size, unit] = [bytes, 0];
  while (size > 0n && size % 1024n === 0n && unit < UNITS.length - 1) [size, unit] = [size / 1024n, unit + 1];
  return size > 1024n && unit < UNITS.length - 1 ? undefined : `${size}${UNITS[unit]}`;
}

/**
 * The huge page limits of a container, one for each size that the kernel supports: its own, else the pod's, else zero (upstream:
 * GetHugepageLimitsFromResources).
 */
export function hugepageLimits({ spec }: Pod, { resources }: Container, sizes: readonly string[]): HugepageLimit[] {
  const whole = hasPodLevelResources(spec) ? usageOf(spec.resources?.limits) : [];
  const limits = new Map<string, bigint>();
  for (const [name, amount] of [...whole, ...usageOf(resources.limits)]) {
    const page = name.slice('hugepages-'.length);
    if (!isHugePages(name) || !isQuantity(page)) continue;
    const size = unitSize(wholeValue(page));
    if (size !== undefined) limits.set(size, wholeValue(amount));
  }
  return sizes.map((pageSize) => ({ pageSize, limit: limits.get(pageSize) ?? 0n }));
}
