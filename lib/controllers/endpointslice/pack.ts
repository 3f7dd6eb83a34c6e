import { type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { items } from '#lib/machinery/unstructured.ts';
import { tellsSame, type EndpointSet } from './endpoint-set.ts';

/** Endpoints of one slice at most: the flag --max-endpoints-per-slice upstream. */
const MAX_ENDPOINTS = 100;

export interface Changes {
  readonly create: readonly JsonObject[];
  readonly update: readonly JsonObject[];
  readonly delete: readonly JsonObject[];
}

export interface Packing {
  /** Slices that hold endpoints with these ports now. */
  readonly slices: readonly JsonObject[];
  /** Emptied by packing. */
  readonly wanted: EndpointSet;
  empty(): JsonObject;
  /** The slice with its service's labels; undefined where it has them. */
  relabelled(slice: JsonObject): JsonObject | undefined;
}

const lengthOf = (slice: JsonObject): number => items(slice, 'endpoints').length;
const room = (slice: JsonObject): number => MAX_ENDPOINTS - lengthOf(slice);

/**
 * Places what is wanted with as few writes as upstream's reconciler: what is there stays where it is, slices that are written
 * anyway are filled first, then the one whose room fits best, and only then new ones.
 */
export function pack({ slices, wanted, empty, relabelled }: Packing): Changes {
  const changed = new Map<string, JsonObject>();
  const unchanged = new Map<string, JsonObject>();
  const gone: JsonObject[] = [];
  for (const slice of slices) {
    const kept = keep(slice, wanted);
    const next = relabelled(slice);
    if (kept?.length === 0) gone.push(slice);
    else if (kept !== undefined) changed.set(nameOf(slice), { ...(next ?? slice), endpoints: kept });
    else if (next !== undefined) changed.set(nameOf(slice), next);
    else unchanged.set(nameOf(slice), slice);
  }
  for (const [name, slice] of [...changed].sort(([, a], [, b]) => lengthOf(b) - lengthOf(a)))
    changed.set(name, filled(slice, wanted));
  const create: JsonObject[] = [];
  while (wanted.size > 0) {
    const fitting = closest([...unchanged.values()], wanted.size);
    if (fitting === undefined) create.push(filled(empty(), wanted));
    else {
      unchanged.delete(nameOf(fitting));
      changed.set(nameOf(fitting), filled(fitting, wanted));
    }
  }
  return { create, update: [...changed.values()], delete: gone };
}

/** The endpoints that stay in a slice, as they should be; undefined where all stay as they are. */
function keep(slice: JsonObject, wanted: EndpointSet): JsonObject[] | undefined {
  const endpoints = items(slice, 'endpoints');
  let same = true;
  const kept = endpoints.flatMap((endpoint) => {
    const next = wanted.take(endpoint);
    if (next === undefined) return [];
    same &&= tellsSame(next, endpoint);
    return [next];
  });
  return same && kept.length === endpoints.length ? undefined : kept;
}

const filled = (slice: JsonObject, wanted: EndpointSet): JsonObject => ({
  ...slice,
  endpoints: [...items(slice, 'endpoints'), ...wanted.takeSome(room(slice))],
});

/** The slice that all of these leave the least room in; undefined where none has the room. */
function closest(slices: readonly JsonObject[], count: number): JsonObject | undefined {
  if (count >= MAX_ENDPOINTS) return undefined;
  const fitting = slices.filter((slice) => room(slice) >= count);
  return fitting.reduce<JsonObject | undefined>(
    (best, slice) => (best === undefined || room(slice) < room(best) ? slice : best),
    undefined,
  );
}
