import type { Pod } from '#lib/api/types/core.v1.ts';
import { hasPodLevelResources } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import { isHugePages } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { compareQuantities, parseQuantity, type Quantity, quantityText } from '#lib/machinery/resource/quantity.ts';

/** The medium for huge pages of the only size that the pod requests. `HugePages-2Mi` names the size. */
export const HUGE_PAGES = 'HugePages';

/** Whether a medium is huge pages of any size. */
export const isHugePageMedium = (medium: string): boolean =>
  medium === HUGE_PAGES || medium.startsWith(`${HUGE_PAGES}-`);

const sizeOf = (medium: string): Quantity => parseQuantity(medium.slice(HUGE_PAGES.length + 1));

/**
 * The mount option for the page size, such as `pagesize=2Mi`. Throws if the pod does not request such pages, or if it requests several
 * sizes and the medium names none.
 */
export function pageSizeMountOption(medium: string, pod: Pod): string {
  const named = medium === HUGE_PAGES ? undefined : sizeOf(medium);
  const sizes = requestedSizes(pod).filter((size) => named === undefined || compareQuantities(size, named) === 0);
  const [size, ...others] = sizes;
  if (size === undefined)
    throw new Error(`medium ${medium}: hugePages storage requested, but there is no resource request for huge pages`);
  if (others.some((other) => compareQuantities(other, size) !== 0))
    throw new Error(`medium: ${medium} can't be used if container requests multiple huge page sizes`);
  return `pagesize=${quantityText(size)}`;
}

/** Page sizes that the pod or its containers request. */
function requestedSizes({ spec }: Pod): Quantity[] {
  const holders = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const lists = [...(hasPodLevelResources(spec) ? [spec.resources] : []), ...holders.map(({ resources }) => resources)];
  return lists
    .flatMap((resources) => Object.keys(resources?.requests ?? {}))
    .filter(isHugePages)
    .map((name) => parseQuantity(name.slice(name.indexOf('-') + 1)));
}

/** The reason why a mount's options have another page size than the medium, or undefined if they match. */
export function pageSizeMismatch(medium: string, dir: string, options: readonly string[]): string | undefined {
  if (medium === HUGE_PAGES) return undefined;
  const text = options.find((option) => option.startsWith('pagesize='))?.slice('pagesize='.length);
  if (text === undefined) return `no pagesize option specified for ${dir} mount`;
  const mounted = parseQuantity(text.endsWith('i') ? text : `${text}i`);
  if (compareQuantities(mounted, sizeOf(medium)) === 0) return undefined;
  return `mounted dir ${dir} pagesize '${quantityText(mounted)}' and requested medium size '${quantityText(sizeOf(medium))}' differ`;
}
