import type { TableName } from './table.ts';

/** The packet filter of a host. */
export interface Nftables {
  /** Runs nft commands as one transaction: either all of them or none. Rejects with an Error that explains the failure. */
  apply(commands: string): Promise<void>;
  /** The table as nft prints it. Undefined if it does not exist. Rejects with an Error if nft cannot list it. */
  list(table: TableName): Promise<string | undefined>;
  /**
   * The keys that the kernel itself added to sets of the table, by set name. They are nft elements with their remaining times. Rejects with
   * an Error if nft cannot list them.
   */
  remembered(table: TableName): Promise<Remembered>;
}

/** Set elements in nft syntax, by set name. */
export type Remembered = ReadonlyMap<string, readonly string[]>;
