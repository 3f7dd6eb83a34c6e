import { at, count, flag, items, text } from '#lib/machinery/unstructured.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { deviceMatches } from '../cel/device-matches.ts';
import { AllocationError } from './allocation-error.ts';
import { hasCapacity, requestedCapacity } from './consumable-capacity.ts';
import type { RequestNames } from './constraint.ts';
import type { Pool } from './pools.ts';
import { isAt, type Amounts, type Device, type Located } from './slice.ts';

/** A request of a claim, or one of its alternatives, and what is known of it for one node. */
export interface Request {
  readonly names: RequestNames;
  /** As results name it: `request` or `request/alternative`. */
  readonly name: string;
  readonly object: JsonObject;
  readonly deviceClass: JsonObject;
  readonly isAdmin: boolean;
  readonly capacity: Amounts;
  readonly numDevices: number;
  /** All that there are, where all are wanted. */
  readonly all: readonly Device[] | undefined;
  /** Whether a device is what is asked for, whoever has it. Throws AllocationError. */
  isSelectable(device: Device): boolean;
}

/** What requests are read in view of. */
export interface RequestContext {
  readonly node: Located;
  readonly pools: readonly Pool[];
  deviceClass(name: string): JsonObject | undefined;
  /** Is called before selectors are asked about a device, and may throw to end the search. */
  readonly onSelectors: () => void;
}

export const keyOf = (object: JsonObject): string => `${namespaceOf(object)}/${nameOf(object)}`;

/** Each request of a claim with its alternatives, one where it has none. Throws AllocationError. */
export const requestsOf = (claim: JsonObject, context: RequestContext): readonly (readonly Request[])[] =>
  items(at(claim, 'spec', 'devices'), 'requests').map((request) => {
    const name = text(request, 'name');
    const alternatives = items(request, 'firstAvailable');
    if (alternatives.length === 0)
      return [readRequest(claim, { request: name }, objectAt(request, 'exactly') ?? {}, context)];
    return alternatives.map((one) => readRequest(claim, { request: name, chosen: text(one, 'name') }, one, context));
  });

function readRequest(claim: JsonObject, names: RequestNames, object: JsonObject, context: RequestContext): Request {
  const where = `claim ${keyOf(claim)}, request ${names.chosen ?? names.request}`;
  const className = text(object, 'deviceClassName');
  if (className === '') throw new AllocationError(`${where}: missing device class name (unsupported request type?)`);
  const deviceClass = context.deviceClass(className);
  if (deviceClass === undefined)
    throw new AllocationError(
      `${where}: could not retrieve device class ${className}: deviceclass.resource.k8s.io "${className}" not found`,
    );
  const isSelectable = selectable(claim, object, deviceClass, context);
  const capacity = requestedCapacity(object);
  const all = allOf(where, object, { ...context, isSelectable, capacity });
  return {
    names,
    name: names.chosen === undefined ? names.request : `${names.request}/${names.chosen}`,
    object,
    deviceClass,
    isAdmin: names.chosen === undefined && flag(object, 'adminAccess') === true,
    capacity,
    numDevices: all?.length ?? Number(count(object, 'count')),
    all,
    isSelectable,
  };
}

interface Wanted extends RequestContext {
  readonly capacity: Amounts;
  isSelectable(device: Device): boolean;
}

/** Undefined where a number is wanted. All of a pool are known only when its driver has told of all. */
function allOf(where: string, object: JsonObject, { pools, isSelectable, capacity }: Wanted): Device[] | undefined {
  const mode = text(object, 'allocationMode');
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

/** Asked once for each device: who has it does not matter. */
function selectable(
  claim: JsonObject,
  request: JsonObject,
  deviceClass: JsonObject,
  { node, onSelectors }: RequestContext,
): (device: Device) => boolean {
  const known = new Map<Device, boolean>();
  const ofClass = items(objectAt(deviceClass, 'spec'), 'selectors');
  const decide = (device: Device): boolean =>
    selectorsMatch(device, ofClass, `class ${nameOf(deviceClass)}`) &&
    selectorsMatch(device, items(request, 'selectors'), `claim ${keyOf(claim)}`) &&
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

function selectorsMatch(device: Device, selectors: readonly JsonObject[], where: string): boolean {
  for (const [i, selector] of selectors.entries()) {
    const verdict = deviceMatches(text(objectAt(selector, 'cel'), 'expression'), device.driver, device.object);
    if (typeof verdict === 'object') throw new AllocationError(`${where}: selector #${i}: ${verdict.error}`);
    if (!verdict) return false;
  }
  return true;
}
