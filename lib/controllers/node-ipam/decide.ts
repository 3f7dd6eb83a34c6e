import type { Node } from '#lib/api/types/core.v1.ts';
import { podCIDRsOf, podPrefixesOf } from '#lib/helpers/component-helpers/node/pod-cidrs.ts';
import { creationTimeOf, isDeleting, nameOf } from '#lib/machinery/meta.ts';
import { parseCIDRSloppy } from '#lib/machinery/net/parse-prefix.ts';
import { networkText, overlaps, type Prefix } from '#lib/machinery/net/prefix.ts';
import { subnetAt, subnetCount, subnetIndex } from '#lib/machinery/net/subnets.ts';

/** A network from which nodes get blocks. `length` is the prefix length of a block. */
export interface NodeRange {
  readonly network: Prefix;
  readonly length: number;
}

/** The blocks of a node that had none. */
export interface Assignment {
  readonly node: Node;
  /** One block for each range. Undefined if a range is exhausted. */
  readonly cidrs: readonly string[] | undefined;
}

/** Assigns blocks to the nodes that have none. No block overlaps with one of another node or with a service range. */
export function assign(
  nodes: readonly Node[],
  ranges: readonly NodeRange[],
  services: readonly string[],
): readonly Assignment[] {
  const youngestLast = [...nodes].sort(byAge);
  const held = youngestLast.flatMap(podPrefixesOf);
  const reserved = services.flatMap((cidr) => parseCIDRSloppy(cidr) ?? []);
  const pools = ranges.map((range) => new Pool(range, held, reserved));
  return youngestLast
    .filter((node) => podCIDRsOf(node).length === 0 && !isDeleting(node))
    .map((node) => {
      const blocks = pools.map((pool) => pool.next());
      return { node, cidrs: blocks.includes(undefined) ? undefined : blocks.flatMap((block) => block ?? []) };
    });
}

/** Whether these are one block of each range, and none overlaps with a node's block. */
export function areFree(cidrs: readonly string[], ranges: readonly NodeRange[], nodes: readonly Node[]): boolean {
  const held = nodes.flatMap(podPrefixesOf);
  const blocks = cidrs.flatMap((cidr) => parseCIDRSloppy(cidr) ?? []);
  const isOf = (block: Prefix, { network, length }: NodeRange): boolean =>
    block.length === length && overlaps(block, network);
  return (
    blocks.length === cidrs.length &&
    blocks.length === ranges.length &&
    ranges.every((range) => blocks.some((block) => isOf(block, range))) &&
    !held.some((other) => blocks.some((block) => overlaps(block, other)))
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

  constructor(range: NodeRange, held: readonly Prefix[], reserved: readonly Prefix[]) {
    this.#range = range;
    for (const network of [...held, ...reserved]) this.#occupy(network);
    const last = held.flatMap((one) => subnetIndex(range.network, range.length, one) ?? []).at(-1);
    this.#at = last === undefined ? 0 : last + 1;
  }

  #occupy(other: Prefix): void {
    const { network, length } = this.#range;
    const start = subnetIndex(network, length, other);
    if (start === undefined) return;
    const count = subnetCount(other.length < network.length ? network : other, length);
    for (let index = start; index < start + count; index++) this.#used.add(index);
  }

  next(): string | undefined {
    const { network, length } = this.#range;
    const total = subnetCount(network, length);
    if (this.#used.size >= total) return undefined;
    while (this.#used.has(this.#at % total)) this.#at++;
    const index = this.#at++ % total;
    this.#used.add(index);
    return networkText(subnetAt(network, length, index));
  }
}
