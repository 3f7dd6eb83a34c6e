import type { PodSpec, ResourceRequirements } from '#lib/api/types/core.v1.ts';
import { compareQuantities, quantities, signOf, sumOfQuantities } from '#lib/machinery/resource/quantities.ts';

/** Upstream's PodQOSClass. */
export type QOSClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

const COMPUTE = ['cpu', 'memory'];

/**
 * Upstream's ComputePodQOS. Guaranteed: every container limits CPU and memory with equal requests. BestEffort: no container sets requests
 * or limits. Pod-level resources, if set, replace those of the containers.
 */
export function podQOS(spec: PodSpec): QOSClass {
  const pod = spec.resources;
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const holders = pod === undefined ? containers.map(({ resources }) => resources) : [pod];
  const requests = totals(holders, 'requests');
  const limits = totals(holders, 'limits');
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const limited =
    pod !== undefined && quantities(pod, 'limits').length === 0 ? [] : holders.filter((holder) => !limitsBoth(holder));
  const equal = [...requests].every(([name, value]) => compareQuantities(limits.get(name) ?? '-1', value) === 0);
  return limited.length === 0 && equal && requests.size === limits.size ? 'Guaranteed' : 'Burstable';
}

type List = 'requests' | 'limits';

function positive(resources: ResourceRequirements, list: List): [string, string][] {
  return quantities(resources, list).filter(([name, value]) => COMPUTE.includes(name) && signOf(value) > 0);
}

function limitsBoth(resources: ResourceRequirements): boolean {
  return positive(resources, 'limits').length === COMPUTE.length;
}

function totals(holders: readonly ResourceRequirements[], list: List): Map<string, string> {
  const sums = new Map<string, string>();
  for (const [name, value] of holders.flatMap((holder) => positive(holder, list))) {
    sums.set(name, sumOfQuantities(sums.get(name) ?? '0', value));
  }
  return sums;
}
