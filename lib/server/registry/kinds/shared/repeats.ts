/** The indexes of values that are there a second time or more; in linear time, as lists come from outside. */
export function repeatedAt(values: readonly string[]): number[] {
  const seen = new Set<string>();
  const repeated: number[] = [];
  for (const [i, value] of values.entries()) {
    if (seen.has(value)) repeated.push(i);
    seen.add(value);
  }
  return repeated;
}
