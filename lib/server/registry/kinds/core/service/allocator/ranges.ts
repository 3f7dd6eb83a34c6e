import { type Addr, addrAfter, bitsOf } from '#lib/machinery/net/addr.ts';
import { addrText } from '#lib/machinery/net/addr-text.ts';
import { parseIPSloppy } from '#lib/machinery/net/parse-addr.ts';
import { parseCIDRSloppy } from '#lib/machinery/net/parse-prefix.ts';
import { masked } from '#lib/machinery/net/prefix.ts';
import type { Block } from './pool.ts';

/** The cluster's first service CIDR: upstream's default. */
export const DEFAULT_CIDR = '10.96.0.0/16';

/** The assignable addresses of an IPv4 network: all except the first and the last. */
export interface AddressRange {
  /** The network address. */
  readonly base: Addr;
  readonly hosts: number;
}

/** Undefined if the text is not an IPv4 network or the network has no assignable address. */
export function addressRange(cidr: string): AddressRange | undefined {
  const prefix = parseCIDRSloppy(cidr);
  if (prefix === undefined || prefix.addr.family !== 4) return undefined;
  const size = 2 ** (32 - prefix.length);
  return size > 2 ? { base: masked(prefix).addr, hosts: size - 2 } : undefined;
}

/** Whether a service can use a canonical IPv4 address of this range. */
export function isInRange({ base, hosts }: AddressRange, address: string): boolean {
  const addr = parseIPSloppy(address);
  if (addr === undefined || addr.family !== 4) return false;
  const offset = bitsOf(addr) - bitsOf(base);
  return offset >= 1n && offset <= hosts;
}

/** The network address, which a dry run shows instead of an allocated one. */
export const networkAddress = ({ base }: AddressRange): string => addrText(base);

/**
 * The size of the lower block, which is reserved for addresses that clients choose: a sixteenth, but at least 16 and at most 256. 0 in a
 * small network.
 */
const staticAddresses = (hosts: number): number =>
  hosts < 16 ? 0 : Math.min(Math.max(Math.floor(hosts / 16), 16), 256);

/** Blocks in allocation order. The block for client-chosen addresses is used only after the rest is full. */
export function addressBlocks({ base, hosts }: AddressRange): Block[] {
  const block = (from: number, size: number): Block => ({
    size,
    value: (index) => addrText(addrAfter(base, 1 + from + index)),
  });
  const chosen = staticAddresses(hosts);
  return [block(chosen, hosts - chosen), block(0, chosen)];
}

const FIRST_PORT = 30_000;
const LAST_PORT = 32_767;
const STATIC_PORTS = 86;

/** The node port range as text, for messages. */
export const PORT_RANGE = `${FIRST_PORT}-${LAST_PORT}`;

const ports = (from: number, size: number): Block => ({ size, value: (index) => String(FIRST_PORT + from + index) });

/** Blocks of ports in allocation order. */
export const PORT_BLOCKS: readonly Block[] = [
  ports(STATIC_PORTS, LAST_PORT - FIRST_PORT + 1 - STATIC_PORTS),
  ports(0, STATIC_PORTS),
];

/** Whether the port is in the node port range. */
export const isNodePort = (port: number): boolean => port >= FIRST_PORT && port <= LAST_PORT;

/** The port that a dry run shows: the first that is not in `used`. */
export function anyPort(used: ReadonlySet<string>): string {
  let port = FIRST_PORT;
  while (used.has(String(port))) port++;
  return String(port);
}
