import type { DeviceRequest, DeviceSubRequest, ExactDeviceRequest, ResourceClaim } from '#lib/api/types/resource.v1.ts';
import { sum, type Usage } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import { compareQuantities } from '#lib/machinery/resource/quantities.ts';
import type { Evaluator } from '../evaluator.ts';
import { countName } from './object-count.ts';

const COUNT = countName('resource.k8s.io', 'resourceclaims');
const OF_CLASS = '.deviceclass.resource.k8s.io/devices';
/** The maximum number of devices that a request for all devices may receive. */
const MOST_DEVICES = 32;

/** Counts claims and the maximum number of devices per class. For alternatives, counts the largest one. */
export const resourceClaims: Evaluator<ResourceClaim> = {
  group: 'resource.k8s.io',
  resource: 'resourceclaims',
  hasScopes: false,
  handles: ({ operation, subresource }) => subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  counts: (name) => name === COUNT || name.endsWith(OF_CLASS),
  usage(claim) {
    const requests = claim.spec.devices.requests ?? [];
    return requests.map(devicesOf).reduce(sum, new Map([[COUNT, '1']]));
  },
  inScope: () => false,
};

function devicesOf({ exactly, firstAvailable = [] }: DeviceRequest): Usage {
  const most = new Map<string, string>();
  for (const one of firstAvailable.length > 0 ? firstAvailable : exactly === undefined ? [] : [exactly]) {
    const name = one.deviceClassName + OF_CLASS;
    const devices = devicesAsked(one);
    if (compareQuantities(devices, most.get(name) ?? '-1') > 0) most.set(name, devices);
  }
  return most;
}

function devicesAsked({ allocationMode, count = 0 }: DeviceSubRequest | ExactDeviceRequest): string {
  if (allocationMode === 'All') return String(MOST_DEVICES);
  return allocationMode === 'ExactCount' ? String(count) : '0';
}
