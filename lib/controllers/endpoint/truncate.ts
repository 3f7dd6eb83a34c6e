import type { JsonObject } from '#lib/machinery/json-value.ts';
import { items } from '#lib/machinery/unstructured.ts';
import { unlessEmpty } from './subsets.ts';

/** Addresses of one Endpoints object at most. */
const CAPACITY = 1000;

const lengthOf = (subset: JsonObject, field: string): number => items(subset, field).length;
const total = (subsets: readonly JsonObject[], field: string): number =>
  subsets.reduce((sum, subset) => sum + lengthOf(subset, field), 0);

/** Takes what is too much from every subset in proportion, the unready first; undefined where nothing is too much. */
export function truncated(subsets: readonly JsonObject[]): JsonObject[] | undefined {
  const [ready, unready] = [total(subsets, 'addresses'), total(subsets, 'notReadyAddresses')];
  if (ready + unready <= CAPACITY) return undefined;
  const field = ready > CAPACITY ? 'addresses' : 'notReadyAddresses';
  const room = ready > CAPACITY ? CAPACITY : CAPACITY - ready;
  const all = ready > CAPACITY ? ready : unready;
  let left = room;
  return subsets.map((subset) => {
    const share = Math.min(left, Math.ceil((lengthOf(subset, field) / all) * room));
    left -= share;
    return cut(subset, field, share);
  });
}

function cut(subset: JsonObject, field: 'addresses' | 'notReadyAddresses', share: number): JsonObject {
  const addresses = items(subset, 'addresses');
  const unready = items(subset, 'notReadyAddresses').slice(0, share);
  return unlessEmpty({
    addresses: field === 'addresses' ? addresses.slice(0, share) : addresses,
    notReadyAddresses: field === 'addresses' ? [] : unready,
    ports: items(subset, 'ports'),
  });
}
