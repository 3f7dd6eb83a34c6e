import { addressText, parseCIDR } from '#lib/machinery/validation/ip.ts';

/** A block of addresses, in numeric form. */
export interface Network {
  readonly bits: 32 | 128;
  readonly first: bigint;
  readonly length: number;
}

/** The network of a CIDR, ignoring host bits. Undefined if the text is not a CIDR. */
export function networkOf(cidr: string): Network | undefined {
  const parsed = parseCIDR(cidr);
  if (parsed === undefined) return undefined;
  const { address, length } = parsed;
  const bits = address.bytes.length === 4 ? 32 : 128;
  const host = BigInt(bits - length);
  const value = address.bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return { bits, first: (value >> host) << host, length };
}

const sizeOf = ({ bits, length }: Network): bigint => 1n << BigInt(bits - length);

/** Whether two networks have an address in common. */
export const overlap = (a: Network, b: Network): boolean =>
  a.bits === b.bits && a.first < b.first + sizeOf(b) && b.first < a.first + sizeOf(a);

/** The number of blocks of this prefix length in a network. */
export const blocksIn = (network: Network, length: number): number => 2 ** Math.max(0, length - network.length);

/** The block with this index. */
export function blockAt(network: Network, length: number, index: number): Network {
  return { ...network, length, first: network.first + BigInt(index) * (1n << BigInt(network.bits - length)) };
}

/** The index of the block that equals another network or contains its start. Undefined if that is outside. */
export function indexIn(network: Network, length: number, other: Network): number | undefined {
  if (!overlap(network, other)) return undefined;
  const offset = other.first - network.first;
  return offset < 0n ? 0 : Number(offset >> BigInt(network.bits - length));
}

/** Formats a network as a CIDR. */
export function cidrText({ bits, first, length }: Network): string {
  const count = bits / 8;
  const bytes = Array.from({ length: count }, (_, index) => Number((first >> BigInt(8 * (count - 1 - index))) & 255n));
  return `${addressText({ bytes })}/${length}`;
}
