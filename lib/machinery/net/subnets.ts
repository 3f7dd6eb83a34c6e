import { addrAfter, bitLength, bitsOf } from './addr.ts';
import { masked, overlaps, type Prefix } from './prefix.ts';

/** The number of subnets of this length in a network: 1 if the network is not larger. */
export const subnetCount = (network: Prefix, length: number): number => 2 ** Math.max(0, length - network.length);

/** The subnet of this length with this index. */
export const subnetAt = (network: Prefix, length: number, index: number): Prefix => ({
  addr: addrAfter(masked(network).addr, index, bitLength(network.addr.family) - length),
  length,
});

/** The index of the first subnet of this length that overlaps with another network. Undefined if none does. */
export function subnetIndex(network: Prefix, length: number, other: Prefix): number | undefined {
  if (!overlaps(network, other)) return undefined;
  if (other.length <= network.length) return 0;
  const offset = bitsOf(other.addr) - bitsOf(masked(network).addr);
  return Number(offset >> BigInt(bitLength(network.addr.family) - length));
}
