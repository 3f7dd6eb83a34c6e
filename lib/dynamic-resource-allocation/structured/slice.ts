import { newNodeSelector, type NodeSelector } from '#lib/component-helpers/scheduling/corev1/node-affinity.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { parseQuantity, type Quantity } from '#lib/machinery/resource/quantity.ts';
import { at, count, flag, items, text } from '#lib/machinery/unstructured.ts';

/** Amounts by the name of what they are of. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** Names a device among all: `driver/pool/device`. */
export type DeviceId = string;

export const deviceId = (driver: string, pool: string, device: string): DeviceId => `${driver}/${pool}/${device}`;

/** Where a slice or a device can be had. */
interface Place {
  readonly nodeName: string;
  readonly allNodes: boolean;
  readonly nodeSelector: JsonObject | undefined;
}

/** What a ResourceSlice says, read once. */
export interface Slice {
  readonly name: string;
  readonly driver: string;
  readonly pool: string;
  readonly generation: number;
  /** How many slices the pool has. */
  readonly sliceCount: number;
  readonly place: Place;
  /** Whether each device says where it can be had. */
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
  readonly object: JsonObject;
  /** Its own, or its slice's. */
  readonly place: Place;
  /** Whether several claims may have parts of it. */
  readonly isShared: boolean;
  /** What it takes of the pool's counters, by their sets. */
  readonly consumes: readonly (readonly [string, Amounts])[];
}

const slices = new WeakMap<JsonObject, Slice>();

/** The slice that an object is; the same for the same object. */
export function sliceOf(object: JsonObject): Slice {
  const known = slices.get(object) ?? readSlice(object);
  slices.set(object, known);
  return known;
}

function readSlice(object: JsonObject): Slice {
  const spec = objectAt(object, 'spec');
  const pool = objectAt(spec, 'pool');
  const isPerDevice = flag(spec, 'perDeviceNodeSelection') === true;
  const slice = {
    name: nameOf(object),
    driver: text(spec, 'driver'),
    pool: text(pool, 'name'),
    generation: Number(count(pool, 'generation')),
    sliceCount: Number(count(pool, 'resourceSliceCount')),
    place: placeOf(spec),
    isPerDevice,
    counterSets: items(spec, 'sharedCounters').map((set) => [text(set, 'name'), counters(set)] as const),
  };
  return { ...slice, devices: items(spec, 'devices').map((device) => readDevice(slice, device)) };
}

function readDevice(slice: Omit<Slice, 'devices'>, object: JsonObject): Device {
  const { driver, pool, isPerDevice, place } = slice;
  const name = text(object, 'name');
  return {
    id: deviceId(driver, pool, name),
    name,
    driver,
    pool,
    object,
    place: isPerDevice ? placeOf(object) : place,
    isShared: flag(object, 'allowMultipleAllocations') === true,
    consumes: items(object, 'consumesCounters').map((set) => [text(set, 'counterSet'), counters(set)] as const),
  };
}

const placeOf = (object: JsonObject | undefined): Place => ({
  nodeName: text(object, 'nodeName'),
  allNodes: flag(object, 'allNodes') === true,
  nodeSelector: objectAt(object, 'nodeSelector'),
});

function counters(set: JsonObject): Amounts {
  const named = Object.keys(objectAt(set, 'counters') ?? {});
  return new Map(named.map((name) => [name, parseQuantity(text(at(set, 'counters', name), 'value'))]));
}

/** A node, as places see it. A NodeInfo is one. */
export interface Located {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

const selectors = new WeakMap<JsonObject, NodeSelector>();

/** Whether a node has it: upstream's NodeMatches. */
export function isAt(node: Located, { nodeName, allNodes, nodeSelector }: Place): boolean {
  if (nodeName !== '') return node.name === nodeName;
  if (allNodes) return true;
  if (nodeSelector === undefined) return false;
  const selector = selectors.get(nodeSelector) ?? newNodeSelector(nodeSelector);
  selectors.set(nodeSelector, selector);
  return selector.matches(node);
}
