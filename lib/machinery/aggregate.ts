/** Several errors in one text, each once, as upstream's errors.NewAggregate shows them; empty without any. */
export function aggregateText(messages: readonly string[]): string {
  const unique = [...new Set(messages)];
  return unique.length < 2 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
}
