import type { TableName } from './table.ts';

/** The packet filter of a host. */
export interface Nftables {
  /** Runs commands of nft as one transaction: all of them, or none. Rejects with an Error that says why none. */
  apply(commands: string): Promise<void>;
  /** The table as nft prints it; undefined where there is none. Rejects with an Error where that cannot be told. */
  list(table: TableName): Promise<string | undefined>;
}
