import type { EndpointSubset } from '#lib/api/types/core.v1.ts';
import { unlessEmpty } from './subsets.ts';

/** The maximum number of addresses in one Endpoints object. */
const CAPACITY = 1000;

type AddressField = 'addresses' | 'notReadyAddresses';

const lengthOf = (subset: EndpointSubset, field: AddressField): number => subset[field]?.length ?? 0;
const total = (subsets: readonly EndpointSubset[], field: AddressField): number =>
  subsets.reduce((sum, subset) => sum + lengthOf(subset, field), 0);

/** Removes the excess from every subset in proportion, unready addresses first. Undefined if there is no excess. */
export function truncated(subsets: readonly EndpointSubset[]): EndpointSubset[] | undefined {
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

function cut(subset: EndpointSubset, field: AddressField, share: number): EndpointSubset {
  const { addresses = [], notReadyAddresses = [], ports = [] } = subset;
  return unlessEmpty({
    addresses: field === 'addresses' ? addresses.slice(0, share) : addresses,
    notReadyAddresses: field === 'addresses' ? [] : notReadyAddresses.slice(0, share),
    ports,
  });
}
