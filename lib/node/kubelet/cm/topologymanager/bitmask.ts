/** A set of NUMA nodes: bit n stands for node n, from 0 to 63 (upstream: bitmask.BitMask). */
export type BitMask = bigint;

/** The mask with these bits. Throws Error for a bit outside 0 to 63. */
export function bitMask(...bits: readonly number[]): BitMask {
  return bits.reduce((mask, bit) => {
    if (!Number.isInteger(bit) || bit < 0 || bit >= 64) throw new Error('bit number must be in range 0-63');
    return mask | (1n << BigInt(bit));
  }, 0n);
}

/** The set bits in ascending order. */
export function bitsOf(mask: BitMask): number[] {
  const bits: number[] = [];
  for (let bit = 0, rest = mask; rest > 0n; bit += 1, rest >>= 1n) if ((rest & 1n) === 1n) bits.push(bit);
  return bits;
}

/** Number of set bits. */
export const countOf = (mask: BitMask): number => bitsOf(mask).length;

/** Whether a bit is set. */
export const isSet = (mask: BitMask, bit: number): boolean => bit >= 0 && ((mask >> BigInt(bit)) & 1n) === 1n;

/** Whether `a` has fewer bits than `b`, or the same number with more of the low ones. */
export function isNarrowerThan(a: BitMask, b: BitMask): boolean {
  const [left, right] = [countOf(a), countOf(b)];
  return left === right ? a < b : left < right;
}

/** Every mask with at least one of these bits. Masks of one bit come first, in the order of the bits. */
export function* bitMasksOf(bits: readonly number[]): Generator<BitMask> {
  for (let size = 1; size <= bits.length; size += 1) yield* masksOfSize(bits, size);
}

function* masksOfSize(bits: readonly number[], size: number): Generator<BitMask> {
  if (size === 0) {
    yield 0n;
    return;
  }
  for (const [index, bit] of bits.entries()) {
    for (const rest of masksOfSize(bits.slice(index + 1), size - 1)) yield bitMask(bit) | rest;
  }
}
