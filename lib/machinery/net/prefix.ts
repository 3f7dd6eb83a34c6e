import { type Addr, addrOf, bitLength, sameAddr } from './addr.ts';
import { addrText } from './addr-text.ts';

/** Go's netip.Prefix: an address with its host bits, and the length of its network in bits. */
export interface Prefix {
  readonly addr: Addr;
  readonly length: number;
}

/** The prefix in CIDR notation, with its host bits. */
export const prefixText = ({ addr, length }: Prefix): string => `${addrText(addr)}/${length}`;

/** The network in CIDR notation, without host bits: Go's net.IPNet.String. */
export const networkText = (prefix: Prefix): string => prefixText(masked(prefix));

/** Whether address and length are equal, including host bits. */
export const samePrefix = (a: Prefix, b: Prefix): boolean => a.length === b.length && sameAddr(a.addr, b.addr);

/** The bits of the byte with this index that belong to the network. */
const maskAt = (length: number, index: number): number =>
  (0xff00 >> Math.min(Math.max(length - index * 8, 0), 8)) & 0xff;

/** The prefix without host bits. Its address is the first of the network. */
export const masked = ({ addr, length }: Prefix): Prefix => ({
  addr: addrOf(addr.bytes.map((byte, i) => byte & maskAt(length, i))),
  length,
});

/** The last address of the network, for IPv4 its broadcast address. */
export const lastAddr = ({ addr, length }: Prefix): Addr =>
  addrOf(addr.bytes.map((byte, i) => byte | (~maskAt(length, i) & 0xff)));

/** The prefix that contains only this address. */
export const singlePrefix = (addr: Addr): Prefix => ({ addr, length: bitLength(addr.family) });

/** Whether the network contains an address of its family. It never contains an address with a zone. */
export function contains({ addr, length }: Prefix, other: Addr): boolean {
  if (addr.family !== other.family || other.zone !== '') return false;
  const whole = length >> 3;
  for (let i = 0; i < whole; i++) if (addr.bytes[i] !== other.bytes[i]) return false;
  const hostBits = 8 - (length & 7);
  return hostBits === 8 || (addr.bytes[whole] ?? 0) >> hostBits === (other.bytes[whole] ?? 0) >> hostBits;
}

/** Whether a network contains every address of another one. */
export const containsPrefix = (outer: Prefix, inner: Prefix): boolean =>
  outer.length <= inner.length && contains(outer, inner.addr);

/** Whether two networks have an address in common. */
export const overlaps = (a: Prefix, b: Prefix): boolean => containsPrefix(a, b) || containsPrefix(b, a);
