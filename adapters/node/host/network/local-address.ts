import { isIPv6 } from 'node:net';
import { type Run, runCommand } from '../programs/command.ts';

/** Gives this host an address, on its loopback interface; the system routes nothing to others for it. Rejects with what `ip` says. */
export async function addLocalAddress(address: string, run: Run = runCommand): Promise<void> {
  const { failure, output } = await run('ip', ['address', 'replace', prefixOf(address), 'dev', 'lo']);
  if (failure !== undefined)
    throw new Error(`cannot give the host the address ${address}: ${output.trim() || failure}`);
}

/** Takes the address away again. One that is not there is no error. */
export async function removeLocalAddress(address: string, run: Run = runCommand): Promise<void> {
  await run('ip', ['address', 'delete', prefixOf(address), 'dev', 'lo']);
}

const prefixOf = (address: string): string => `${address}/${isIPv6(address) ? 128 : 32}`;
