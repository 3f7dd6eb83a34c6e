import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';
import { canonicalQuantity, compareQuantities, quantities, signOf } from '#lib/machinery/resource/quantities.ts';
import { parseQuantity, quantityMilliValue } from '#lib/machinery/resource/quantity.ts';
import { aggregateContainers } from '#lib/component-helpers/resource/resource-totals.ts';

/** What something asks for, by resource name. */
interface Usage {
  readonly requests: ReadonlyMap<string, string>;
  readonly limits: ReadonlyMap<string, string>;
}

/** What of a pod's or a claim's spec is beyond a LimitRange. */
export function limitErrors(resource: string, spec: JsonObject, range: JsonObject): string[] {
  return items(at(range, 'spec'), 'limits').flatMap((limit) => {
    const type = text(limit, 'type');
    if (resource === 'persistentvolumeclaims') return type === 'PersistentVolumeClaim' ? claimErrors(limit, spec) : [];
    if (type === 'Pod') return usageErrors(limit, podUsage(spec));
    if (type !== 'Container') return [];
    const containers = [...items(spec, 'containers'), ...items(spec, 'initContainers')];
    return containers.flatMap((container) => usageErrors(limit, usageOf(objectAt(container, 'resources'))));
  });
}

const usageOf = (resources: JsonObject | undefined): Usage => ({
  requests: new Map(quantities(resources, 'requests')),
  limits: new Map(quantities(resources, 'limits')),
});

/** The containers' sum, or what the pod as a whole asks for, where it does. */
function podUsage(spec: JsonObject): Usage {
  const total = (list: 'requests' | 'limits') => {
    const whole = quantities(objectAt(spec, 'resources'), list).filter(([name]) => name === 'cpu' || name === 'memory');
    return new Map([...aggregateContainers(spec, list), ...whole]);
  };
  return { requests: total('requests'), limits: total('limits') };
}

function usageErrors(limit: JsonObject, usage: Usage): string[] {
  const type = text(limit, 'type');
  return [
    ...quantities(limit, 'min').flatMap(([name, bound]) => belowMin(type, name, bound, usage)),
    ...quantities(limit, 'max').flatMap(([name, bound]) => aboveMax(type, name, bound, usage)),
    ...quantities(limit, 'maxLimitRequestRatio').flatMap(([name, bound]) => aboveRatio(type, name, bound, usage)),
  ];
}

function claimErrors(limit: JsonObject, spec: JsonObject): string[] {
  const type = text(limit, 'type');
  const { requests } = usageOf(objectAt(spec, 'resources'));
  const limits = new Map<string, string>();
  return [
    ...quantities(limit, 'min').flatMap(([name, bound]) => belowMin(type, name, bound, { requests, limits })),
    ...quantities(limit, 'max').flatMap(([name, bound]) => {
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
