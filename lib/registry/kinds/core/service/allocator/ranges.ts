import type { Block } from './pool.ts';

/** Addresses of services: upstream's usual network. The first and last address of a network are nobody's. */
const NETWORK: readonly number[] = [10, 96, 0, 0];
const PREFIX = 16;
const HOSTS = 2 ** (32 - PREFIX) - 2;
const BASE = NETWORK.reduce((sum, byte) => sum * 256 + byte, 0);

/** The low end is for addresses that clients choose; others come from there only when the rest is used up. */
const STATIC_ADDRESSES = 256;

const FIRST_PORT = 30_000;
const LAST_PORT = 32_767;
const STATIC_PORTS = 86;

/** What a dry run shows instead of an address. */
export const NETWORK_ADDRESS = NETWORK.join('.');
export const PORT_RANGE = `${FIRST_PORT}-${LAST_PORT}`;

const dotted = (address: number): string => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');

const addresses = (from: number, size: number): Block => ({ size, value: (index) => dotted(BASE + 1 + from + index) });
const ports = (from: number, size: number): Block => ({ size, value: (index) => String(FIRST_PORT + from + index) });

/** In the order in which free ones are taken. */
export const ADDRESS_BLOCKS: readonly Block[] = [
  addresses(STATIC_ADDRESSES, HOSTS - STATIC_ADDRESSES),
  addresses(0, STATIC_ADDRESSES),
];
export const PORT_BLOCKS: readonly Block[] = [
  ports(STATIC_PORTS, LAST_PORT - FIRST_PORT + 1 - STATIC_PORTS),
  ports(0, STATIC_PORTS),
];

/** Whether a canonical IPv4 address can be a service's. */
export function isServiceAddress(address: string): boolean {
  const bytes = address.split('.').map(Number);
  if (bytes.length !== 4 || bytes.some((byte) => Number.isNaN(byte))) return false;
  const offset = bytes.reduce((sum, byte) => sum * 256 + byte, 0) - BASE;
  return offset >= 1 && offset <= HOSTS;
}

export const isNodePort = (port: number): boolean => port >= FIRST_PORT && port <= LAST_PORT;

/** A port that a dry run shows: the first that is not in `used`. */
export function anyPort(used: ReadonlySet<string>): string {
  let port = FIRST_PORT;
  while (used.has(String(port))) port++;
  return String(port);
}
