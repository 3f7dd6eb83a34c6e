import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, items, text } from '#lib/machinery/unstructured.ts';
import { compareQuantities } from '#lib/machinery/resource/quantities.ts';
import type { Evaluator } from '../evaluator.ts';
import { sum, type Usage } from '#lib/component-helpers/resource/resource-list.ts';
import { countName } from './object-count.ts';

const COUNT = countName('resource.k8s.io', 'resourceclaims');
const OF_CLASS = '.deviceclass.resource.k8s.io/devices';
/** What a request for all devices may be given at most. */
const MOST_DEVICES = 32;

/** Claims, and the devices of each class that they may be given: of alternatives the most. */
export const resourceClaims: Evaluator = {
  group: 'resource.k8s.io',
  resource: 'resourceclaims',
  hasScopes: false,
  handles: ({ operation, subresource }) => subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  counts: (name) => name === COUNT || name.endsWith(OF_CLASS),
  usage(claim) {
    const requests = items(objectAt(objectAt(claim, 'spec'), 'devices'), 'requests');
    return requests.map(devicesOf).reduce(sum, new Map([[COUNT, '1']]));
  },
  inScope: () => false,
};

function devicesOf(request: JsonObject): Usage {
  const exactly = objectAt(request, 'exactly');
  const most = new Map<string, string>();
  const alternatives = items(request, 'firstAvailable');
  for (const one of alternatives.length > 0 ? alternatives : exactly === undefined ? [] : [exactly]) {
    const name = text(one, 'deviceClassName') + OF_CLASS;
    const devices = devicesAsked(one);
    if (compareQuantities(devices, most.get(name) ?? '-1') > 0) most.set(name, devices);
  }
  return most;
}

function devicesAsked(request: JsonObject): string {
  const mode = text(request, 'allocationMode');
  if (mode === 'All') return String(MOST_DEVICES);
  return mode === 'ExactCount' ? String(count(request, 'count')) : '0';
}
