import type { Endpoint, EndpointSlice } from '#lib/api/types/discovery.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { type EndpointSet, tellsSame } from './endpoint-set.ts';

/** The maximum number of endpoints in one slice: upstream's flag --max-endpoints-per-slice. */
const MAX_ENDPOINTS = 100;

/** Slices to write. Those of `update` and `delete` have names. */
export interface Changes {
  readonly create: readonly EndpointSlice[];
  readonly update: readonly EndpointSlice[];
  readonly delete: readonly EndpointSlice[];
}

/** Endpoints to place, and the slices to place them in. */
export interface Packing {
  /** Slices that currently hold endpoints with these ports. */
  readonly slices: readonly EndpointSlice[];
  /** The endpoints to place. Packing empties the set. */
  readonly wanted: EndpointSet;
  empty(): EndpointSlice;
  /** The slice with its service's labels. Undefined if they are up to date. */
  relabelled(slice: EndpointSlice): EndpointSlice | undefined;
}

const lengthOf = (slice: EndpointSlice): number => slice.endpoints?.length ?? 0;
const room = (slice: EndpointSlice): number => MAX_ENDPOINTS - lengthOf(slice);

/**
 * Places the wanted endpoints with as few writes as upstream's reconciler. Existing endpoints stay in their slice. Slices that are
 * written anyway are filled first, then the one with the best fit, and only then new ones.
 */
export function pack({ slices, wanted, empty, relabelled }: Packing): Changes {
  const changed = new Map<string, EndpointSlice>();
  const unchanged = new Map<string, EndpointSlice>();
  const gone: EndpointSlice[] = [];
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
  const create: EndpointSlice[] = [];
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

/** The endpoints that stay in a slice, in their wanted form. Undefined if the slice is unchanged. */
function keep(slice: EndpointSlice, wanted: EndpointSet): Endpoint[] | undefined {
  const endpoints = slice.endpoints ?? [];
  let same = true;
  const kept = endpoints.flatMap((endpoint) => {
    const next = wanted.take(endpoint);
    if (next === undefined) return [];
    same &&= tellsSame(next, endpoint);
    return [next];
  });
  return same && kept.length === endpoints.length ? undefined : kept;
}

const filled = (slice: EndpointSlice, wanted: EndpointSet): EndpointSlice => ({
  ...slice,
  endpoints: [...(slice.endpoints ?? []), ...wanted.takeSome(room(slice))],
});

/** The slice with the least room left after adding `count` endpoints. Undefined if none has enough room. */
function closest(slices: readonly EndpointSlice[], count: number): EndpointSlice | undefined {
  if (count >= MAX_ENDPOINTS) return undefined;
  const fitting = slices.filter((slice) => room(slice) >= count);
  return fitting.reduce<EndpointSlice | undefined>(
    (best, slice) => (best === undefined || room(slice) < room(best) ? slice : best),
    undefined,
  );
}
