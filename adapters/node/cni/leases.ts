import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isAddr } from '#lib/machinery/net/parse-addr.ts';
import type { AddressLease } from '#lib/node/kubelet/network/cni/stale-attachments.ts';
import { isAbsent, readBounded } from './files.ts';

/** Maximum bytes of a lease: an id and the name of an interface. */
const MAX = 1024;

/**
 * The leases of the host-local plugin in the folder of a network. Empty if the folder does not exist. Rejects if the folder cannot be read.
 */
export async function addressLeases(folder: string, network: string): Promise<AddressLease[]> {
  const leases: AddressLease[] = [];
  for (const name of (await namesOf(folder)).filter(isAddr)) {
    const file = await readBounded(join(folder, name), MAX).catch(absentAsNone);
    const [containerId = '', ifName = 'eth0'] = Buffer.from(file?.bytes ?? [])
      .toString()
      .trim()
      .split(/\r?\n/);
    if (file !== undefined) leases.push({ network, containerId, ifName, written: file.written });
  }
  return leases;
}

async function namesOf(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    return absentAsNone(error) ?? [];
  }
}

/** A handler for `catch` that treats a lease that was just released as absent. */
function absentAsNone(error: unknown): undefined {
  if (!isAbsent(error)) throw error;
}
