import type {
  DeviceClass,
  DeviceSelector,
  DeviceSubRequest,
  ExactDeviceRequest,
  ResourceClaim,
} from '#lib/api/types/resource.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { deviceMatches } from '../cel/device-matches.ts';
import { AllocationError } from './allocation-error.ts';
import type { RequestNames } from './constraint.ts';
import { hasCapacity, requestedCapacity } from './consumable-capacity.ts';
import type { Pool } from './pools.ts';
import { type Amounts, type Device, isAt, type LocatedDevice } from './slice.ts';

/** A request of a claim, or one of its alternatives, evaluated for one node. */
export interface Request {
  readonly names: RequestNames;
  /** The name in results: `request` or `request/alternative`. */
  readonly name: string;
  readonly object: ExactDeviceRequest | DeviceSubRequest;
  readonly deviceClass: DeviceClass;
  readonly isAdmin: boolean;
  readonly capacity: Amounts;
  readonly numDevices: number;
  /** All matching devices if the request is for all. Undefined otherwise. */
  readonly all: readonly Device[] | undefined;
  /** Whether a device matches the request, even if it is in use. Throws AllocationError. */
  isSelectable(device: Device): boolean;
}

/** The context of requests: a node and its devices. */
export interface RequestContext {
  readonly node: LocatedDevice;
  readonly pools: readonly Pool[];
  deviceClass(name: string): DeviceClass | undefined;
  /** Called before selectors run on a device. May throw to end the search. */
  readonly onSelectors: () => void;
}

/** The key `namespace/name` of an object. */
export const keyOf = (object: JsonObject): string => `${namespaceOf(object)}/${nameOf(object)}`;

/** The alternatives of each request of a claim. A request without alternatives is its own only alternative. Throws AllocationError. */
export const requestsOf = (claim: ResourceClaim, context: RequestContext): readonly (readonly Request[])[] =>
  (claim.spec.devices.requests ?? []).map(({ name, exactly, firstAvailable = [] }) => {
    if (firstAvailable.length === 0) return [readRequest(claim, { request: name }, exactly ?? NO_REQUEST, context)];
    return firstAvailable.map((one) => readRequest(claim, { request: name, chosen: one.name }, one, context));
  });

const NO_REQUEST: ExactDeviceRequest = { deviceClassName: '' };

function readRequest(
  claim: ResourceClaim,
  names: RequestNames,
  object: ExactDeviceRequest | DeviceSubRequest,
  context: RequestContext,
): Request {
  const where = `claim ${keyOf(claim)}, request ${names.chosen ?? names.request}`;
  const { deviceClassName: className } = object;
  if (className === '') throw new AllocationError(`${where}: missing device class name (unsupported request type?)`);
  const deviceClass = context.deviceClass(className);
  if (deviceClass === undefined)
    throw new AllocationError(
      `${where}: could not retrieve device class ${className}: deviceclass.resource.k8s.io "${className}" not found`,
    );
  const isSelectable = selectable(claim, object.selectors ?? [], deviceClass, context);
  const capacity = requestedCapacity(object.capacity);
  const all = allOf(where, object.allocationMode ?? '', { ...context, isSelectable, capacity });
  return {
    names,
    name: names.chosen === undefined ? names.request : `${names.request}/${names.chosen}`,
    object,
    deviceClass,
    isAdmin: 'adminAccess' in object && object.adminAccess,
    capacity,
    numDevices: all?.length ?? Number(object.count ?? 0),
    all,
    isSelectable,
  };
}

interface AllDevicesRequest extends RequestContext {
  readonly capacity: Amounts;
  isSelectable(device: Device): boolean;
}

/**
 * The devices of a request for all devices. Undefined for a request for a number of devices. Throws AllocationError for an incomplete pool.
 */
function allOf(
  where: string,
  mode: string,
  { pools, isSelectable, capacity }: AllDevicesRequest,
): Device[] | undefined {
  if (mode === 'ExactCount') return undefined;
  if (mode !== 'All') throw new AllocationError(`${where}: unsupported count mode ${mode}`);
  const open = pools.find(({ isIncomplete, isInvalid }) => isIncomplete || isInvalid);
  if (open !== undefined) {
    const why = open.isIncomplete ? 'being updated' : 'invalid';
    throw new AllocationError(`${where}: asks for all devices, but resource pool ${open.id} is currently ${why}`);
  }
  const devices = pools.flatMap((pool) => pool.devices).filter(isSelectable);
  return devices.filter((device) => hasCapacity(device.object, capacity, []));
}

/** Whether a device's selectors and node match, computed once for each device. */
function selectable(
  claim: ResourceClaim,
  selectors: readonly DeviceSelector[],
  deviceClass: DeviceClass,
  { node, onSelectors }: RequestContext,
): (device: Device) => boolean {
  const known = new Map<Device, boolean>();
  const { selectors: ofClass = [] } = deviceClass.spec;
  const decide = (device: Device): boolean =>
    selectorsMatch(device, ofClass, `class ${nameOf(deviceClass)}`) &&
    selectorsMatch(device, selectors, `claim ${keyOf(claim)}`) &&
    isAt(node, device.place);
  return (device) => {
    const before = known.get(device);
    if (before !== undefined) return before;
    onSelectors();
    const verdict = decide(device);
    known.set(device, verdict);
    return verdict;
  };
}

function selectorsMatch(device: Device, selectors: readonly DeviceSelector[], where: string): boolean {
  for (const [i, { cel }] of selectors.entries()) {
    const verdict = deviceMatches(cel?.expression ?? '', device.driver, device.object);
    if (typeof verdict === 'object') throw new AllocationError(`${where}: selector #${i}: ${verdict.error}`);
    if (!verdict) return false;
  }
  return true;
}
