import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { usageOf } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import { isHugePages } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { isWhole, wholeValue } from '#lib/machinery/resource/quantities.ts';

/** Requested bytes by kind of memory: `memory`, `hugepages-2Mi`. */
export type RequestedMemory = ReadonlyMap<string, number>;

/** The memory that a container requests. Throws Error with upstream's text for a fraction of a byte. */
export function containerMemory({ resources }: Container): RequestedMemory {
  const kinds = [...usageOf(resources.requests)].filter(([name]) => name === 'memory' || isHugePages(name));
  return new Map(
    kinds.map(([name, value]) => {
      if (!isWhole(value)) throw new Error('[memorymanager] failed to represent quantity as int64');
      return [name, Number(wholeValue(value))];
    }),
  );
}

/**
 * The peak memory of a pod: the maximum for its app containers and for the init containers before them. Omits kinds that no app container
 * requests.
 */
export function podMemory({ spec }: Pod): RequestedMemory {
  const byInit = new Map<string, number>();
  const bySidecars = new Map<string, number>();
  const byApps = new Map<string, number>();
  const add = (sums: Map<string, number>, name: string, size: number): void => {
    sums.set(name, (sums.get(name) ?? 0) + size);
  };
  for (const container of spec.initContainers ?? []) {
    for (const [name, size] of containerMemory(container)) {
      if (isSidecar(container)) add(bySidecars, name, size);
      else byInit.set(name, Math.max(byInit.get(name) ?? 0, (bySidecars.get(name) ?? 0) + size));
    }
  }
  for (const container of spec.containers ?? []) {
    for (const [name, size] of containerMemory(container)) add(byApps, name, size);
  }
  return new Map(
    [...byApps].map(([name, size]) => [name, Math.max(size + (bySidecars.get(name) ?? 0), byInit.get(name) ?? 0)]),
  );
}
