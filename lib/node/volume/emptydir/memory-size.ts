import type { Pod } from '#lib/api/types/core.v1.ts';
import { podResources } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import { parseQuantity, quantityValue } from '#lib/machinery/resource/quantity.ts';

/**
 * The size of an in-memory volume in bytes (upstream: calculateEmptyDirMemorySize). It is the smallest of the node's allocatable memory,
 * the pod's memory limit if all its containers have one, and the volume's own limit.
 */
export function emptyDirMemorySize(nodeAllocatable: number, pod: Pod, sizeLimit?: string): number {
  const limits = [podMemoryLimit(pod), sizeLimit === undefined ? 0 : Number(quantityValue(parseQuantity(sizeLimit)))];
  return Math.min(nodeAllocatable, ...limits.filter((limit) => limit > 0));
}

/** 0 if a container has no limit, unless there is a pod-level limit. */
function podMemoryLimit(pod: Pod): number {
  const { containers, initContainers, resources } = pod.spec;
  const all = [...(containers ?? []), ...(initContainers ?? [])];
  const limited = all.every((container) => container.resources?.limits?.['memory'] !== undefined);
  if (!limited && resources?.limits?.['memory'] === undefined) return 0;
  const limit = podResources(pod, 'limits').get('memory');
  return limit === undefined ? 0 : Number(quantityValue(parseQuantity(limit)));
}
