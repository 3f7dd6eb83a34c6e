import { resolve } from 'node:path';
import type { SequenceStore } from '#lib/storage/sequence.ts';
import type { Flags } from './command.ts';
import { lockDirectory } from './data-directory.ts';
import { encryptionOfFlags } from './flags/encryption.ts';
import { lay } from './foundation.ts';

/** What says where the data is, and how it is encrypted. */
export type DataFlags = Pick<Flags, 'dataDir' | 'encryptionProviderConfig'>;

/** The store of a data directory that no server has open. Throws StartFault where one has. */
export async function openDataStore(
  flags: DataFlags,
): Promise<{ readonly store: SequenceStore; close(): Promise<void> }> {
  const dataDirectory = resolve(flags.dataDir);
  const unlock = await lockDirectory(dataDirectory);
  try {
    const { store, close } = await lay({ dataDirectory, ...(await encryptionOfFlags(flags)) });
    return { store, close: () => close().finally(unlock) };
  } catch (error) {
    await unlock();
    throw error;
  }
}
