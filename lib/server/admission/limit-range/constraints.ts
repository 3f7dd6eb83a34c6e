import type {
  LimitRange,
  LimitRangeItem,
  PersistentVolumeClaimSpec,
  PodSpec,
  ResourceRequirements,
} from '#lib/api/types/core.v1.ts';
import { aggregateContainers } from '#lib/helpers/component-helpers/resource/resource-totals.ts';
import { canonicalQuantity, compareQuantities, signOf } from '#lib/machinery/resource/quantities.ts';
import { parseQuantity, quantityMilliValue } from '#lib/machinery/resource/quantity.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';

/** The requests and limits of a container, a pod or a claim, by resource name. */
interface Usage {
  readonly requests: ReadonlyMap<string, string>;
  readonly limits: ReadonlyMap<string, string>;
}

/** Returns errors for the pod's requests and limits that violate a LimitRange, with upstream's texts. */
export function podErrors(spec: PodSpec, range: LimitRange): string[] {
  return (range.spec.limits ?? []).flatMap((limit) => {
    if (limit.type === 'Pod') return usageErrors(limit, podUsage(spec));
    if (limit.type !== 'Container') return [];
    const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
    return containers.flatMap(({ resources }) => usageErrors(limit, usageOf(resources)));
  });
}

/** Returns errors for the claim's requests that violate a LimitRange, with upstream's texts. */
export function claimErrors(spec: PersistentVolumeClaimSpec, range: LimitRange): string[] {
  const limits = (range.spec.limits ?? []).filter(({ type }) => type === 'PersistentVolumeClaim');
  return limits.flatMap((limit) => requestErrors(limit, new Map(Object.entries(spec.resources.requests ?? {}))));
}

const usageOf = ({ requests, limits }: ResourceRequirements): Usage => ({
  requests: new Map(sortedEntries(requests)),
  limits: new Map(sortedEntries(limits)),
});

/** Returns the sum over the containers. If pod-level CPU and memory resources are set, they take precedence. */
function podUsage(spec: PodSpec): Usage {
  const total = (list: 'requests' | 'limits') => {
    const whole = sortedEntries(spec.resources?.[list]).filter(([name]) => name === 'cpu' || name === 'memory');
    return new Map([...aggregateContainers(spec, list), ...whole]);
  };
  return { requests: total('requests'), limits: total('limits') };
}

function usageErrors({ type, min, max, maxLimitRequestRatio }: LimitRangeItem, used: Usage): string[] {
  return [
    ...sortedEntries(min).flatMap(([name, bound]) => belowMin(type, name, bound, used)),
    ...sortedEntries(max).flatMap(([name, bound]) => aboveMax(type, name, bound, used)),
    ...sortedEntries(maxLimitRequestRatio).flatMap(([name, bound]) => aboveRatio(type, name, bound, used)),
  ];
}

function requestErrors({ type, min, max }: LimitRangeItem, requests: ReadonlyMap<string, string>): string[] {
  const limits = new Map<string, string>();
  return [
    ...sortedEntries(min).flatMap(([name, bound]) => belowMin(type, name, bound, { requests, limits })),
    ...sortedEntries(max).flatMap(([name, bound]) => {
      const head = usage('maximum', name, type, bound);
      const request = requests.get(name);
      if (request === undefined) return [`${head}.  No request is specified`];
      return compareQuantities(request, bound) > 0 ? [`${head}, but request is ${canonicalQuantity(request)}`] : [];
    }),
  ];
}

const usage = (which: string, name: string, type: string, bound: string): string =>
  `${which} ${name} usage per ${type} is ${canonicalQuantity(bound)}`;

function belowMin(type: string, name: string, bound: string, { requests, limits }: Usage): string[] {
  const head = usage('minimum', name, type, bound);
  const request = requests.get(name);
  const limit = limits.get(name);
  if (request === undefined) return [`${head}.  No request is specified`];
  if (compareQuantities(request, bound) < 0) return [`${head}, but request is ${canonicalQuantity(request)}`];
  if (limit !== undefined && compareQuantities(limit, bound) < 0)
    return [`${head}, but limit is ${canonicalQuantity(limit)}`];
  return [];
}

function aboveMax(type: string, name: string, bound: string, { requests, limits }: Usage): string[] {
  const head = usage('maximum', name, type, bound);
  const request = requests.get(name);
  const limit = limits.get(name);
  if (limit === undefined) return [`${head}.  No limit is specified`];
  if (compareQuantities(limit, bound) > 0) return [`${head}, but limit is ${canonicalQuantity(limit)}`];
  if (request !== undefined && compareQuantities(request, bound) > 0)
    return [`${head}, but request is ${canonicalQuantity(request)}`];
  return [];
}

function aboveRatio(type: string, name: string, bound: string, { requests, limits }: Usage): string[] {
  const head = `${name} max limit to request ratio per ${type} is ${canonicalQuantity(bound)}`;
  const request = requests.get(name) ?? '0';
  const limit = limits.get(name) ?? '0';
  if (signOf(request) === 0) return [`${head}, but no request is specified or request is 0`];
  if (signOf(limit) === 0) return [`${head}, but no limit is specified or limit is 0`];
  const ratio = Number(milli(limit)) / Number(milli(request));
  return ratio * 1000 > Number(milli(bound)) ? [`${head}, but provided ratio is ${ratio.toFixed(6)}`] : [];
}

const milli = (quantity: string): bigint => quantityMilliValue(parseQuantity(quantity));
