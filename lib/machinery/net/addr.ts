/** An address family. */
export type Family = 4 | 6;
/** The families, in the order of tables and messages. */
export const FAMILIES = [4, 6] as const;

/** Go's netip.Addr. An IPv4-mapped IPv6 address has family 6 until `unmapped`. */
export interface Addr {
  readonly family: Family;
  /** 4 or 16 bytes in network order. */
  readonly bytes: readonly number[];
  /** The zone of an IPv6 address: `eth0` of `fe80::1%eth0`. Empty if it has none. */
  readonly zone: string;
}

const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

/** The address with these 4 or 16 bytes, without a zone. */
export const addrOf = (bytes: readonly number[]): Addr => ({ family: bytes.length === 4 ? 4 : 6, bytes, zone: '' });

/** The length in bits of an address of the family: 32 or 128. */
export const bitLength = (family: Family): 32 | 128 => (family === 4 ? 32 : 128);

/** Go's Is4In6: `::ffff:0:0/96`. */
export const isMapped = ({ family, bytes }: Addr): boolean =>
  family === 6 && MAPPED.every((byte, i) => byte === bytes[i]);

/** Go's Unmap: the IPv4 address of an IPv4-mapped one. Every other address is returned as it is. */
export const unmapped = (addr: Addr): Addr => (isMapped(addr) ? addrOf(addr.bytes.slice(12)) : addr);

/** Whether family, bytes and zone are equal. */
export const sameAddr = (a: Addr, b: Addr): boolean =>
  a.family === b.family && a.zone === b.zone && a.bytes.every((byte, i) => byte === b.bytes[i]);

/** The address as a number of 32 or 128 bits. */
export const bitsOf = ({ bytes }: Addr): bigint => bytes.reduce((bits, byte) => (bits << 8n) | BigInt(byte), 0n);

/** The address with this number. Excess bits are dropped. */
export function addrOfBits(family: Family, bits: bigint): Addr {
  const last = bitLength(family) / 8 - 1;
  return addrOf(Array.from({ length: last + 1 }, (_, i) => Number((bits >> BigInt(8 * (last - i))) & 0xffn)));
}

/**
 * The address `count` blocks of 2^`blockBits` addresses later. Wraps around after the last address of the family. `count` is at most 2^45.
 */
export function addrAfter({ bytes }: Addr, count: number, blockBits = 0): Addr {
  const sum = [...bytes];
  let carry = count * 2 ** (blockBits % 8);
  for (let i = sum.length - 1 - Math.floor(blockBits / 8); i >= 0 && carry > 0; i--) {
    const total = (sum[i] ?? 0) + carry;
    sum[i] = total % 256;
    carry = Math.floor(total / 256);
  }
  return addrOf(sum);
}
