/** The name of the table, of the family `inet`. The agent owns it: it removes what it did not put there. */
export const TABLE = 'davit-network-policy';

/** A set, or a map of verdicts: elements as nftables writes them, each with its verdict, which is empty in a set. */
export interface NftSet {
  readonly kind: 'set' | 'map';
  /** `ipv4_addr`, `ipv4_addr : verdict`. */
  readonly type: string;
  readonly flags?: 'interval';
  readonly elements: ReadonlyMap<string, string>;
}

/** A chain: rules as nftables writes them. A base chain has the hook that calls it. */
export interface NftChain {
  readonly hook?: string;
  readonly rules: readonly string[];
}

/** The content of the table by names. Names and rules hold nothing that others wrote. */
export interface NftTable {
  readonly sets: ReadonlyMap<string, NftSet>;
  readonly chains: ReadonlyMap<string, NftChain>;
}

/** A table without anything. */
export const EMPTY_TABLE: NftTable = { sets: new Map(), chains: new Map() };
