/** The table families that a node's rules use. */
export type TableFamily = 'ip' | 'ip6' | 'inet';

/** A table that this program owns. */
export interface TableName {
  readonly family: TableFamily;
  readonly name: string;
}

/** The position of a chain in the kernel's packet path. */
export interface Hook {
  readonly type: 'filter' | 'nat';
  readonly hook: 'prerouting' | 'input' | 'forward' | 'output' | 'postrouting';
  readonly priority: number;
}

/** A chain of rules in nft syntax. */
export interface Chain {
  /** Absent if only other chains jump to it. */
  readonly hook?: Hook;
  readonly rules: readonly string[];
}

/** A set of keys in nft syntax. */
export interface NftSet {
  /** The type of its keys, such as `ipv4_addr . inet_service`. */
  readonly type: string;
  readonly flags?: readonly ('interval' | 'dynamic' | 'timeout')[];
  /** The lifetime of a key in seconds. */
  readonly timeout?: number;
  /** Absent if only the kernel adds keys, via rules. */
  readonly elements?: ReadonlySet<string>;
}

/** A map from keys to values, both in nft syntax. */
export interface NftMap {
  /** The types of keys and values, such as `ipv4_addr : verdict`. */
  readonly type: string;
  readonly flags?: readonly 'interval'[];
  readonly elements: ReadonlyMap<string, string>;
}

/** The content of a table by name. Unchanged parts should be the same objects, because they are compared by identity first. */
export interface Table {
  readonly chains: ReadonlyMap<string, Chain>;
  readonly sets: ReadonlyMap<string, NftSet>;
  readonly maps: ReadonlyMap<string, NftMap>;
}

/** A table without content. */
export const EMPTY: Table = { chains: new Map(), sets: new Map(), maps: new Map() };
