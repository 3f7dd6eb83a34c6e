import type { Command } from 'commander';
import { type DataFlags, type OpenStore, openDataSnapshot, openDataStore } from '../data-store.ts';
import type { FoundationOptions } from '../foundation.ts';
import { clusterId } from './token.ts';

/** The store that a backup reads from or restores to. */
export interface BackupFlags extends DataFlags {
  /** Replaces the data directory. */
  readonly table?: string;
  readonly kmsKey?: string;
  readonly clusterId?: string;
}

/** Adds the flags that name a table in an account. */
export function tableFlags(command: Command): Command {
  return command
    .option(
      '--table <name>',
      'a DynamoDB table in place of the data directory, in the account and region of your AWS profile',
    )
    .option('--kms-key <id>', 'the KMS key that encrypts Secrets in the table')
    .option('--cluster-id <name>', "the cluster id of the table's control plane", clusterId, 'davit');
}

/** The store of a data directory that no server has open, or of a table. */
export const openStore = (flags: BackupFlags, options: FoundationOptions = {}): Promise<OpenStore> =>
  flags.table === undefined ? openDataStore(flags, options) : ofTable(flags.table, flags);

/** The source of an export: a table, or a snapshot of a data directory, which a server may be using. */
export const openForReading = (flags: BackupFlags): Promise<OpenStore> =>
  flags.table === undefined ? openDataSnapshot(flags) : ofTable(flags.table, flags);

/** Loads the SDK only for a table. */
async function ofTable(name: string, { clusterId: id = '', kmsKey }: BackupFlags): Promise<OpenStore> {
  const { openTable } = await import('./open-table.ts');
  const { store } = openTable({ name, clusterId: id, kmsKey });
  return { store, close: () => store.close() };
}
