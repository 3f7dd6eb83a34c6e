/** A copy of a column with room for `length` values. New elements hold `fill`. */
export function extended<T extends Int32Array | Float64Array>(column: T, length: number, fill = 0): T {
  const Column = column.constructor as new (size: number) => T;
  const longer = new Column(length);
  longer.set(column);
  if (fill !== 0) longer.fill(fill, column.length);
  return longer;
}

/** The length to allocate for a column of `needed` values: 50 % more, so that growth is amortized. */
export const roomFor = (needed: number): number => Math.max(16, needed + (needed >> 1));
