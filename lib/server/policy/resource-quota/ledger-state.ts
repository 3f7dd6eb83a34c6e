import { asObject, NOTHING, sum, type Usage, usageAt } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import { isObject, type JsonObject, objectAt, ownField, setField, stringAt } from '#lib/machinery/json-value.ts';
import { integer } from '#lib/machinery/unstructured.ts';

/** The lifetime of a reservation in ms. If a write takes longer, its process has died, and its reservation expires. */
export const RESERVATION_LIFETIME = 120_000;

/** The usage of each quota by a write in progress, or by a write that ended after a count began. */
interface Reservation {
  /** The time in ms since 1970. */
  readonly at: number;
  /** The uid of a created object. Empty for other writes. */
  readonly uid: string;
  readonly more: ReadonlyMap<string, Usage>;
}

/**
 * The usage of a namespace's quotas. `counted` is the result of the last count, plus the writes that ended since. `open` contains writes in
 * progress. While a count is in progress (`mark`), `kept` contains the writes that ended since it began. The count may or may not have seen
 * their objects.
 */
export interface LedgerState {
  readonly counted: ReadonlyMap<string, Usage>;
  readonly open: ReadonlyMap<string, Reservation>;
  readonly mark: string;
  readonly kept: ReadonlyMap<string, Reservation>;
}

/** The state before the first count. */
export const EMPTY: LedgerState = { counted: new Map(), open: new Map(), mark: '', kept: new Map() };

const add = (counted: ReadonlyMap<string, Usage>, { more }: Reservation): ReadonlyMap<string, Usage> => {
  const next = new Map(counted);
  for (const [name, usage] of more) {
    const before = next.get(name);
    if (before !== undefined) next.set(name, sum(before, usage));
  }
  return next;
};

const without = <T>(map: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> =>
  new Map([...map].filter(([other]) => other !== key));

/** Returns the usage of a quota, including writes in progress. Undefined before the first count. */
export function usedOf(state: LedgerState, quota: string): Usage | undefined {
  const counted = state.counted.get(quota);
  if (counted === undefined) return undefined;
  return [...state.open.values()].reduce((total, { more }) => sum(total, more.get(quota) ?? NOTHING), counted);
}

/** Reserves the usage of a write under `id`. */
export function reserve(state: LedgerState, id: string, reservation: Reservation): LedgerState {
  return { ...state, open: new Map([...state.open, [id, reservation]]) };
}

/** Returns the state after a successful write: its reservation counts as used. */
export function settle(state: LedgerState, id: string): LedgerState {
  const reservation = state.open.get(id);
  if (reservation === undefined) return state;
  const kept = state.mark === '' ? state.kept : new Map([...state.kept, [id, reservation]]);
  return { ...state, counted: add(state.counted, reservation), open: without(state.open, id), kept };
}

/** Returns the state after a failed write: its reservation is removed. */
export const revert = (state: LedgerState, id: string): LedgerState =>
  state.open.has(id) ? { ...state, open: without(state.open, id) } : state;

/** Begins a count with the name `mark`. */
export const beginCount = (state: LedgerState, mark: string): LedgerState => ({ ...state, mark, kept: new Map() });

/** The result of a count. */
export interface Count {
  readonly mark: string;
  readonly used: ReadonlyMap<string, Usage>;
  /** Whether the count saw an object with this uid. */
  saw(uid: string): boolean;
  readonly now: number;
}

/**
 * Returns the state after a count. Undefined if another count has begun since. Adds writes that ended meanwhile and were not seen. This
 * overestimates the usage for updates and for objects that were deleted again. `isExact` is then false, and another count is due.
 */
export function endCount(state: LedgerState, count: Count): { state: LedgerState; isExact: boolean } | undefined {
  if (state.mark !== count.mark) return undefined;
  const seen = ({ uid }: Reservation): boolean => uid !== '' && count.saw(uid);
  const unseen = [...state.kept.values()].filter((one) => !seen(one));
  const open = [...state.open].filter(([, one]) => !seen(one) && one.at > count.now - RESERVATION_LIFETIME);
  const counted = unseen.reduce(add, count.used);
  return {
    state: { counted, open: new Map(open), mark: '', kept: new Map() },
    isExact: unseen.length === 0 && open.every(([, { uid }]) => uid !== ''),
  };
}

/** Encodes the state for storage. `decodeLedger` reads it back. */
export function encodeLedger({ counted, open, mark, kept }: LedgerState): JsonObject {
  const usages = (map: ReadonlyMap<string, Usage>) => mapped(map, asObject);
  const reservations = (map: ReadonlyMap<string, Reservation>) =>
    mapped(map, ({ at, uid, more }) => ({ at, uid, more: usages(more) }));
  return { counted: usages(counted), open: reservations(open), mark, kept: reservations(kept) };
}

function mapped<T>(map: ReadonlyMap<string, T>, encode: (value: T) => JsonObject): JsonObject {
  const object: JsonObject = {};
  for (const [key, value] of map) setField(object, key, encode(value));
  return object;
}

/** Decodes a stored ledger. Damaged parts become empty. */
export function decodeLedger(object: JsonObject): LedgerState {
  return {
    counted: usagesAt(object, 'counted'),
    open: reservationsAt(object, 'open'),
    mark: stringAt(object, 'mark') ?? '',
    kept: reservationsAt(object, 'kept'),
  };
}

function usagesAt(object: JsonObject | undefined, field: string): ReadonlyMap<string, Usage> {
  const map = objectAt(object, field);
  return new Map(Object.keys(map ?? {}).map((name) => [name, usageAt(map, name)]));
}

function reservationsAt(object: JsonObject, field: string): ReadonlyMap<string, Reservation> {
  const map = objectAt(object, field) ?? {};
  return new Map(
    Object.keys(map).flatMap((id) => {
      const one = ownField(map, id);
      if (!isObject(one)) return [];
      return [
        [
          id,
          { at: Number(integer(one, 'at') ?? 0), uid: stringAt(one, 'uid') ?? '', more: usagesAt(one, 'more') },
        ] satisfies [string, Reservation],
      ];
    }),
  );
}
