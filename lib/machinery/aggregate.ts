/** Joins distinct errors into one text, as upstream's errors.NewAggregate does; empty if there are none. */
export function aggregateText(messages: readonly string[]): string {
  const unique = [...new Set(messages)];
  return unique.length < 2 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
}
