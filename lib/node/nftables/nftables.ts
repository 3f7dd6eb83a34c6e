import type { TableName } from './table.ts';

/** The packet filter of a host. */
export interface Nftables {
  /** Runs commands of nft as one transaction: all of them, or none. Rejects with an Error that says why none. */
  apply(commands: string): Promise<void>;
  /** The table as nft prints it; undefined where there is none. Rejects with an Error where that cannot be told. */
  list(table: TableName): Promise<string | undefined>;
  /** The keys that the kernel put into sets of the table by itself, as elements of nft with the times that they have left, by the names of the sets. Rejects with an Error where that cannot be told. */
  remembered(table: TableName): Promise<Remembered>;
}

/** Elements of sets, in nft's language, by the names of the sets. */
export type Remembered = ReadonlyMap<string, readonly string[]>;
