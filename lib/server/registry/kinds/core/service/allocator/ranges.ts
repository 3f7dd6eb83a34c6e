import { parseCIDR, parseIP } from '#lib/machinery/validation/ip.ts';
import type { Block } from './pool.ts';

/** The cluster's first network of service addresses: upstream's usual one. */
export const DEFAULT_CIDR = '10.96.0.0/16';

/** The addresses of an IPv4 network that services may have: all but its first and last. */
export interface AddressRange {
  /** The network's own address, as a number. */
  readonly base: number;
  readonly hosts: number;
}

const numberOf = (bytes: readonly number[]): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);
const dotted = (address: number): string => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');

/** Undefined for what is no IPv4 network, or has no address to give. */
export function addressRange(cidr: string): AddressRange | undefined {
  const prefix = parseCIDR(cidr);
  if (prefix === undefined || prefix.address.bytes.length !== 4) return undefined;
  const size = 2 ** (32 - prefix.length);
  const base = Math.floor(numberOf(prefix.address.bytes) / size) * size;
  return size > 2 ? { base, hosts: size - 2 } : undefined;
}

/** Whether a canonical IPv4 address can be a service's. */
export function isInRange({ base, hosts }: AddressRange, address: string): boolean {
  const parsed = parseIP(address);
  if (parsed === undefined || parsed.bytes.length !== 4) return false;
  const offset = numberOf(parsed.bytes) - base;
  return offset >= 1 && offset <= hosts;
}

/** The network's own address, which a dry run shows in place of a service's. */
export const networkAddress = ({ base }: AddressRange): string => dotted(base);

/** The low end is for addresses that clients choose: a sixteenth, from 16 to 256; none in a small network. */
const staticAddresses = (hosts: number): number =>
  hosts < 16 ? 0 : Math.min(Math.max(Math.floor(hosts / 16), 16), 256);

/** Blocks in the order in which free addresses are taken: those for clients only when the rest is used up. */
export function addressBlocks({ base, hosts }: AddressRange): Block[] {
  const block = (from: number, size: number): Block => ({ size, value: (index) => dotted(base + 1 + from + index) });
  const chosen = staticAddresses(hosts);
  return [block(chosen, hosts - chosen), block(0, chosen)];
}

const FIRST_PORT = 30_000;
const LAST_PORT = 32_767;
const STATIC_PORTS = 86;

/** The range of node ports as messages show it. */
export const PORT_RANGE = `${FIRST_PORT}-${LAST_PORT}`;

const ports = (from: number, size: number): Block => ({ size, value: (index) => String(FIRST_PORT + from + index) });

/** Blocks in the order in which free ports are taken. */
export const PORT_BLOCKS: readonly Block[] = [
  ports(STATIC_PORTS, LAST_PORT - FIRST_PORT + 1 - STATIC_PORTS),
  ports(0, STATIC_PORTS),
];

/** Whether the port is of the range of node ports. */
export const isNodePort = (port: number): boolean => port >= FIRST_PORT && port <= LAST_PORT;

/** A port that a dry run shows: the first that is not in `used`. */
export function anyPort(used: ReadonlySet<string>): string {
  let port = FIRST_PORT;
  while (used.has(String(port))) port++;
  return String(port);
}
