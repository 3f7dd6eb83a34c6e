import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';
import { parseIPSloppy } from '#lib/machinery/net/parse-addr.ts';

/** The tables of all TCP sockets in this network namespace (proc(5)). */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];
/** The prefix of an IPv4-mapped IPv6 address. */
const MAPPED = '0'.repeat(16) + hexOf([0, 0, 0xff, 0xff]);
/** States of a socket that its process has not closed: established, or still open after the peer's FIN. */
const OPEN: ReadonlySet<string> = new Set(['01', '08']);

/**
 * Whether the process at the other end of a connection within this machine still holds its socket. Unlike the end of the stream, this is
 * known before all bytes are read. Rejects with the system's error if the kernel's tables are missing.
 */
export async function isPeerOpen({ remoteAddress, remotePort, localAddress, localPort }: Socket): Promise<boolean> {
  if (remoteAddress === undefined || localAddress === undefined) return false; // the connection is closed
  const ends = [endOf(remoteAddress, remotePort), endOf(localAddress, localPort)];
  const tables = await Promise.all(TABLES.map((path) => readFile(path, 'latin1').catch(withoutIPv6)));
  return tables.some((table) => table.split('\n').some((row) => isOpenRow(row, ends)));
}

/** A handler for `catch`. The second table is missing in a kernel without IPv6. */
function withoutIPv6(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT' && error.path === TABLES[1]) return '';
  throw error;
}

/** Parses a row: its number, the local end, the remote end, the state. */
function isOpenRow(row: string, ends: readonly string[]): boolean {
  const [, local = '', remote = '', state = ''] = row.trim().split(/\s+/, 4);
  return OPEN.has(state) && [local, remote].every((end, i) => end.replace(MAPPED, '') === ends[i]);
}

/** One end of a connection in the format of the tables. An IPv4-mapped IPv6 address is formatted as IPv4. */
const endOf = (address: string, port = 0): string =>
  `${addressHex(address)}:${port.toString(16).toUpperCase().padStart(4, '0')}`;

/** The address as the kernel prints it: one 32-bit number for IPv4, four for IPv6. */
function addressHex(address: string): string {
  const bytes = parseIPSloppy(address.replace(/%.*/, ''))?.bytes ?? [];
  return Array.from({ length: bytes.length / 4 }, (_, word) => hexOf(bytes.slice(4 * word, 4 * word + 4))).join('');
}

/** Four bytes as the kernel prints them: one number in the machine's byte order. */
function hexOf(bytes: readonly number[]): string {
  const ordered = endianness() === 'LE' ? bytes.toReversed() : bytes;
  return Buffer.from(ordered).toString('hex').toUpperCase();
}
