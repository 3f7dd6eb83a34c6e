import { type Amounts, type Device, isAt, type LocatedDevice, type Slice } from './slice.ts';

/** A driver's pool of devices, limited to the devices for one node. */
export interface Pool {
  /** The id `driver/pool`. */
  readonly id: string;
  /** Whether some of the pool's slices are missing. */
  readonly isIncomplete: boolean;
  /** Whether the pool's slices contradict each other. */
  readonly isInvalid: boolean;
  /** The devices available to the node, in the order in which the search tries them. */
  readonly devices: readonly Device[];
  /** Devices of other nodes that share the counters. */
  readonly others: readonly Device[];
  readonly counterSets: ReadonlyMap<string, Amounts>;
}

const idOf = ({ driver, pool }: Slice): string => `${driver}/${pool}`;

/**
 * The pools with devices for a node, sorted by name. Pools whose devices need no preparation come first. Upstream's GatherPools. Ignores
 * slices of older generations. `all` includes the slices of other nodes.
 */
export function gatherPools(node: LocatedDevice, slices: readonly Slice[], all: readonly Slice[]): readonly Pool[] {
  const relevant = Map.groupBy(
    slices.filter((slice) => isRelevant(node, slice)),
    idOf,
  );
  const pools = [...relevant].flatMap(([id, some]) => poolOf(id, latest(some), all) ?? []);
  const byId = pools.sort((a, b) => (a.id < b.id ? -1 : 1));
  return [...byId.filter((pool) => !needsPreparation(pool)), ...byId.filter(needsPreparation)];
}

/** Whether a slice is relevant to the node. Slices with counters are relevant to every node of the pool. */
function isRelevant(node: LocatedDevice, { counterSets, isPerDevice, place, devices }: Slice): boolean {
  if (counterSets.length > 0) return true;
  return isPerDevice ? devices.some((device) => isAt(node, device.place)) : isAt(node, place);
}

function latest(slices: readonly Slice[]): readonly Slice[] {
  const last = Math.max(...slices.map(({ generation }) => generation));
  return slices.filter(({ generation }) => generation === last);
}

const needsPreparation = ({ devices }: Pool): boolean =>
  devices.some(({ object }) => (object.bindingConditions ?? []).length > 0);

/** The pool. Undefined if another node has a newer generation of it, because this one is then obsolete. */
function poolOf(id: string, mine: readonly Slice[], all: readonly Slice[]): Pool | undefined {
  const { generation, sliceCount } = mine[0] ?? { generation: 0, sliceCount: 0 };
  if (mine.length === sliceCount) return buildPool(id, mine, []);
  const whole = all.filter((slice) => idOf(slice) === id && slice.generation >= generation);
  if (whole.some((slice) => slice.generation > generation)) return undefined;
  if (whole.length !== sliceCount) return { ...NOTHING, id, isIncomplete: true };
  return buildPool(
    id,
    mine,
    whole.filter((slice) => !mine.includes(slice)),
  );
}

const NOTHING: Omit<Pool, 'id'> = {
  isIncomplete: false,
  isInvalid: false,
  devices: [],
  others: [],
  counterSets: new Map(),
};

function buildPool(id: string, mine: readonly Slice[], rest: readonly Slice[]): Pool {
  const sorted = mine.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const devices = sorted.filter(({ counterSets }) => counterSets.length === 0).flatMap((slice) => slice.devices);
  const others = rest.flatMap((slice) => slice.devices);
  const sets = sorted.flatMap(({ counterSets }) => counterSets);
  const counterSets = new Map(sets);
  const isInvalid =
    new Set(devices.map(({ name }) => name)).size < devices.length ||
    counterSets.size < sets.length ||
    ![...devices, ...others].every((device) => hasCounters(device, counterSets));
  return isInvalid ? { ...NOTHING, id, isInvalid } : { ...NOTHING, id, devices, others, counterSets };
}

const hasCounters = ({ consumes }: Device, sets: Pool['counterSets']): boolean =>
  consumes.every(([set, amounts]) => {
    const known = sets.get(set);
    return known !== undefined && [...amounts.keys()].every((name) => known.has(name));
  });
