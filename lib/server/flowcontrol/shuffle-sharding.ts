import { createHash } from 'node:crypto';

/** A 64-bit hash of a flow, which is equal in every process. */
export function hashFlow(schema: string, distinguisher: string): bigint {
  return createHash('sha256').update(`${schema}\0${distinguisher}`).digest().readBigUInt64LE(0);
}

/** Deals a hand of `size` distinct cards from a deck, according to the hash: upstream's shuffle sharding. */
export function deal(hash: bigint, deck: number, size: number): number[] {
  const remainders: number[] = [];
  let rest = hash;
  for (let dealt = 0; dealt < size; dealt++) {
    const cards = BigInt(deck - dealt);
    remainders.push(Number(rest % cards));
    rest /= cards;
  }
  return remainders.map((remainder, i) => {
    let card = remainder;
    for (let j = i - 1; j >= 0; j--) if (card >= (remainders[j] as number)) card++;
    return card;
  });
}
