import type { Command } from 'commander';
import { systemClock } from '#adapters/clock.ts';
import { EncryptedStore } from '#lib/storage/encryption/encrypted-store.ts';
import type { KeyManagement } from '#lib/storage/encryption/kms.ts';
import { keyContext, secretsUnder } from '#lib/storage/encryption/secrets.ts';
import type { SequenceStore } from '#lib/storage/sequence.ts';
import { clusterId } from './token.ts';
import { openDataStore, type DataFlags } from '../data-store.ts';

/** Which store a backup is made of, or put into. */
export interface BackupFlags extends DataFlags {
  /** In place of the data directory. */
  readonly table?: string;
  readonly kmsKey?: string;
  readonly clusterId?: string;
}

/** Adds the flags that name a table in an account. */
export function tableFlags(command: Command): Command {
  return command
    .option('--table <name>', 'a table in an account, in place of the data directory; where it is the SDK knows')
    .option('--kms-key <id>', 'the key by which Secrets in the table are encrypted')
    .option('--cluster-id <name>', 'the id of the control plane that the table is of', clusterId, 'davit');
}

export interface OpenStore {
  readonly store: SequenceStore;
  close(): Promise<void>;
}

/** The store of a data directory that no server has open, or of a table. */
export const openStore = (flags: BackupFlags): Promise<OpenStore> =>
  flags.table === undefined ? openDataStore(flags) : ofTable(flags.table, flags);

/** What it takes of the SDK is loaded where there is a table. */
async function ofTable(name: string, flags: BackupFlags): Promise<OpenStore> {
  const [{ connectTable, dynamoClient }, { dynamoStore }] = await Promise.all([
    import('#adapters/dynamodb/connect.ts'),
    import('#adapters/dynamodb/store.ts'),
  ]);
  const table = connectTable(dynamoClient({}), name);
  const stored = dynamoStore(table, { clock: systemClock });
  const store = new EncryptedStore(stored, secretsUnder(await keyManagement(flags), systemClock));
  return { store, close: async () => table.close() };
}

async function keyManagement({ kmsKey: keyId, clusterId: id = '' }: BackupFlags): Promise<KeyManagement | undefined> {
  if (keyId === undefined) return undefined;
  const { awsKeyManagement } = await import('#adapters/kms/key-management.ts');
  return awsKeyManagement({ keyId, context: keyContext(id) });
}
