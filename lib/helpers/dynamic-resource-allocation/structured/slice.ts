import type { NodeSelector as ApiNodeSelector } from '#lib/api/types/core.v1.ts';
import type { Device as ApiDevice, Counter, ResourceSlice } from '#lib/api/types/resource.v1.ts';
import { type NodeSelector, newNodeSelector } from '#lib/helpers/component-helpers/scheduling/corev1/node-affinity.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { parseQuantity, type Quantity } from '#lib/machinery/resource/quantity.ts';

/** Amounts by name. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** The unique name of a device: `driver/pool/device`. */
export type DeviceId = string;

/** The id of a device in a driver's pool. */
export const deviceId = (driver: string, pool: string, device: string): DeviceId => `${driver}/${pool}/${device}`;

/** The nodes of a slice or a device. */
interface NodeScope {
  readonly nodeName: string;
  readonly allNodes: boolean;
  readonly nodeSelector: ApiNodeSelector | undefined;
}

/** A parsed ResourceSlice. */
export interface Slice {
  readonly name: string;
  readonly driver: string;
  readonly pool: string;
  readonly generation: number;
  /** The number of slices in the pool. */
  readonly sliceCount: number;
  readonly place: NodeScope;
  /** Whether each device has its own node selection. */
  readonly isPerDevice: boolean;
  readonly counterSets: readonly (readonly [string, Amounts])[];
  readonly devices: readonly Device[];
}

/** A device of a slice. */
export interface Device {
  readonly id: DeviceId;
  readonly name: string;
  readonly driver: string;
  readonly pool: string;
  readonly object: ApiDevice;
  /** The node selection of the device, or of its slice. */
  readonly place: NodeScope;
  /** Whether several claims may share the device. */
  readonly isShared: boolean;
  /** The amounts that the device consumes from the pool's counters, by counter set. */
  readonly consumes: readonly (readonly [string, Amounts])[];
}

const slices = new WeakMap<ResourceSlice, Slice>();

/** Parses a slice. The result is cached for each object. */
export function sliceOf(object: ResourceSlice): Slice {
  const known = slices.get(object) ?? readSlice(object);
  slices.set(object, known);
  return known;
}

function readSlice(object: ResourceSlice): Slice {
  const { driver, pool, perDeviceNodeSelection: isPerDevice = false, sharedCounters = [], ...spec } = object.spec;
  const slice = {
    name: nameOf(object),
    driver,
    pool: pool.name,
    generation: Number(pool.generation),
    sliceCount: Number(pool.resourceSliceCount),
    place: placeOf(spec),
    isPerDevice,
    counterSets: sharedCounters.map((set) => [set.name, valuesOf(set.counters)] as const),
  };
  return { ...slice, devices: (spec.devices ?? []).map((device) => readDevice(slice, device)) };
}

function readDevice(slice: Omit<Slice, 'devices'>, object: ApiDevice): Device {
  const { driver, pool, isPerDevice, place } = slice;
  const { name, consumesCounters = [] } = object;
  return {
    id: deviceId(driver, pool, name),
    name,
    driver,
    pool,
    object,
    place: isPerDevice ? placeOf(object) : place,
    isShared: object.allowMultipleAllocations === true,
    consumes: consumesCounters.map((set) => [set.counterSet, valuesOf(set.counters)] as const),
  };
}

const placeOf = ({ nodeName = '', allNodes = false, nodeSelector }: Pick<ApiDevice, keyof NodeScope>): NodeScope => ({
  nodeName,
  allNodes,
  nodeSelector,
});

const valuesOf = (counters: Readonly<Record<string, Counter>> = {}): Amounts =>
  new Map(Object.entries(counters).map(([name, { value }]) => [name, parseQuantity(value)]));

/** The fields of a node that determine device placement. A NodeInfo has them too. */
export interface LocatedDevice {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

const selectors = new WeakMap<ApiNodeSelector, NodeSelector>();

/** Whether the device is available on the node: upstream's NodeMatches. */
export function isAt(node: LocatedDevice, { nodeName, allNodes, nodeSelector }: NodeScope): boolean {
  if (nodeName !== '') return node.name === nodeName;
  if (allNodes) return true;
  if (nodeSelector === undefined) return false;
  const selector = selectors.get(nodeSelector) ?? newNodeSelector(nodeSelector);
  selectors.set(nodeSelector, selector);
  return selector.matches(node);
}
