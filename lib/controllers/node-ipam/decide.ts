import type { Node } from '#lib/api/types/core.v1.ts';
import { creationTimeOf, isDeleting, nameOf } from '#lib/machinery/meta.ts';
import { blockAt, blocksIn, cidrText, indexIn, type Network, networkOf, overlap } from './network.ts';

/** A network from which nodes get blocks. `length` is the prefix length of a block. */
export interface NodeRange {
  readonly network: Network;
  readonly length: number;
}

/** The blocks of a node that had none. */
export interface Assignment {
  readonly node: Node;
  /** One block for each range. Undefined if a range is exhausted. */
  readonly cidrs: readonly string[] | undefined;
}

/** The blocks of a node, as CIDRs. */
export function cidrsOf({ spec: { podCIDRs = [], podCIDR = '' } }: Node): readonly string[] {
  return podCIDRs.length > 0 || podCIDR === '' ? podCIDRs : [podCIDR];
}

/** Assigns blocks to the nodes that have none. No block overlaps with one of another node or with a service range. */
export function assign(
  nodes: readonly Node[],
  ranges: readonly NodeRange[],
  services: readonly string[],
): readonly Assignment[] {
  const youngestLast = [...nodes].sort(byAge);
  const held = youngestLast.flatMap(cidrsOf).flatMap((cidr) => networkOf(cidr) ?? []);
  const reserved = services.flatMap((cidr) => networkOf(cidr) ?? []);
  const pools = ranges.map((range) => new Pool(range, held, reserved));
  return youngestLast
    .filter((node) => cidrsOf(node).length === 0 && !isDeleting(node))
    .map((node) => {
      const blocks = pools.map((pool) => pool.next());
      return { node, cidrs: blocks.includes(undefined) ? undefined : blocks.flatMap((block) => block ?? []) };
    });
}

/** Whether these are one block of each range, and none overlaps with a node's block. */
export function areFree(cidrs: readonly string[], ranges: readonly NodeRange[], nodes: readonly Node[]): boolean {
  const held = nodes.flatMap(cidrsOf).flatMap((cidr) => networkOf(cidr) ?? []);
  const blocks = cidrs.flatMap((cidr) => networkOf(cidr) ?? []);
  const isOf = (block: Network, { network, length }: NodeRange): boolean =>
    block.length === length && overlap(block, network);
  return (
    blocks.length === cidrs.length &&
    blocks.length === ranges.length &&
    ranges.every((range) => blocks.some((block) => isOf(block, range))) &&
    !held.some((other) => blocks.some((block) => overlap(block, other)))
  );
}

function byAge(a: Node, b: Node): number {
  const age = (creationTimeOf(a)?.getTime() ?? 0) - (creationTimeOf(b)?.getTime() ?? 0);
  return age !== 0 ? age : nameOf(a) < nameOf(b) ? -1 : 1;
}

/** Starts after the last assigned block, so that a released block is not reused immediately. */
class Pool {
  readonly #range: NodeRange;
  readonly #used = new Set<number>();
  #at: number;

  constructor(range: NodeRange, held: readonly Network[], reserved: readonly Network[]) {
    this.#range = range;
    for (const network of [...held, ...reserved]) this.#occupy(network);
    const last = held.flatMap((one) => indexIn(range.network, range.length, one) ?? []).at(-1);
    this.#at = last === undefined ? 0 : last + 1;
  }

  #occupy(other: Network): void {
    const { network, length } = this.#range;
    const start = indexIn(network, length, other);
    if (start === undefined) return;
    const within = { ...other, first: other.first < network.first ? network.first : other.first };
    const count = other.length <= network.length ? blocksIn(network, length) : blocksIn(within, length);
    for (let index = start; index < start + count && index < blocksIn(network, length); index++) this.#used.add(index);
  }

  next(): string | undefined {
    const { network, length } = this.#range;
    const total = blocksIn(network, length);
    if (this.#used.size >= total) return undefined;
    while (this.#used.has(this.#at % total)) this.#at++;
    const index = this.#at++ % total;
    this.#used.add(index);
    return cidrText(blockAt(network, length, index));
  }
}
