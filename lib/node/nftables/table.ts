/** The families of tables that rules of nodes are in. */
export type TableFamily = 'ip' | 'ip6' | 'inet';

/** A table of this program's own. */
export interface TableName {
  readonly family: TableFamily;
  readonly name: string;
}

/** The place of a chain in the kernel's path of a packet. */
export interface Hook {
  readonly type: 'filter' | 'nat';
  readonly hook: 'prerouting' | 'input' | 'forward' | 'output' | 'postrouting';
  readonly priority: number;
}

/** A chain of rules, in nft's language. */
export interface Chain {
  /** Absent: only other chains lead to it. */
  readonly hook?: Hook;
  readonly rules: readonly string[];
}

/** A set of keys in nft's language. */
export interface NftSet {
  /** The type of its keys, such as `ipv4_addr . inet_service`. */
  readonly type: string;
  readonly flags?: readonly ('interval' | 'dynamic' | 'timeout')[];
  /** Seconds that a key stays. */
  readonly timeout?: number;
  /** Absent: the kernel alone adds keys, by rules. */
  readonly elements?: ReadonlySet<string>;
}

/** A map from keys to values, both in nft's language. */
export interface NftMap {
  /** The types of keys and values, such as `ipv4_addr : verdict`. */
  readonly type: string;
  readonly flags?: readonly 'interval'[];
  readonly elements: ReadonlyMap<string, string>;
}

/** The content of a table by names. Parts that did not change are best the same objects: they are compared by identity first. */
export interface Table {
  readonly chains: ReadonlyMap<string, Chain>;
  readonly sets: ReadonlyMap<string, NftSet>;
  readonly maps: ReadonlyMap<string, NftMap>;
}

/** A table without content. */
export const EMPTY: Table = { chains: new Map(), sets: new Map(), maps: new Map() };
