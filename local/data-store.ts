import { resolve } from 'node:path';
import { EncryptedStore } from '#lib/storage/encryption/encrypted-store.ts';
import type { SequenceStore } from '#lib/storage/sequence.ts';
import type { Flags } from './command.ts';
import { lockDirectory, ownerOf } from './data-directory.ts';
import { encryptionOfFlags } from './flags/encryption.ts';
import { type FoundationOptions, openFoundation } from './foundation.ts';
import { refuseHalfImport } from './import-mark.ts';
import { openSnapshot, refuseLostChanges } from './open-store.ts';

/** The flags for the location of the data and its encryption. */
export type DataFlags = Pick<Flags, 'dataDir' | 'encryptionProviderConfig'>;

/** A store that a command opened. */
export interface OpenStore {
  readonly store: SequenceStore;
  close(): Promise<void>;
}

/** A snapshot of a data directory, which a server may be using. Throws StartFault. */
export async function openDataSnapshot(flags: DataFlags): Promise<OpenStore> {
  const { encryption = () => undefined } = await encryptionOfFlags(flags);
  const directory = resolve(flags.dataDir);
  await refuseHalfImport(directory);
  if ((await ownerOf(directory)) === undefined) refuseLostChanges(directory);
  const store = new EncryptedStore(openSnapshot(directory), encryption);
  return { store, close: () => store.close() };
}

/** The store of a data directory that no server has open. Throws StartFault if a server has it open. */
export async function openDataStore(flags: DataFlags, layOptions: FoundationOptions = {}): Promise<OpenStore> {
  const dataDirectory = resolve(flags.dataDir);
  const unlock = await lockDirectory(dataDirectory, 'command');
  try {
    const { store, close } = await openFoundation({ dataDirectory, ...(await encryptionOfFlags(flags)) }, layOptions);
    const closeAll = async (): Promise<void> => {
      try {
        await close();
      } finally {
        await unlock();
      }
    };
    return { store, close: closeAll };
  } catch (error) {
    await unlock();
    throw error;
  }
}
