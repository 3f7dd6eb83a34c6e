import { bitLength } from '#lib/machinery/net/addr.ts';
import { addrFamily } from '#lib/machinery/net/parse-addr.ts';
import { type Run, runCommand } from '../programs/command.ts';

/**
 * Adds an address to this host's loopback interface. Packets to it are not routed to other hosts. Rejects with the error message of `ip`.
 */
export async function addLocalAddress(address: string, run: Run = runCommand): Promise<void> {
  const { failure, output } = await run('ip', ['address', 'replace', prefixOf(address), 'dev', 'lo']);
  if (failure !== undefined)
    throw new Error(`cannot give the host the address ${address}: ${output.trim() || failure}`);
}

/** Removes the address. A missing address is not an error. */
export async function removeLocalAddress(address: string, run: Run = runCommand): Promise<void> {
  await run('ip', ['address', 'delete', prefixOf(address), 'dev', 'lo']);
}

const prefixOf = (address: string): string => `${address}/${bitLength(addrFamily(address) ?? 4)}`;
