/** The indexes of values that occurred before. Runs in linear time, because clients control the lists. */
export function repeatedAt(values: readonly string[]): number[] {
  const seen = new Set<string>();
  const repeated: number[] = [];
  for (const [i, value] of values.entries()) {
    if (seen.has(value)) repeated.push(i);
    seen.add(value);
  }
  return repeated;
}
