/** The entries of a map with untrusted keys, sorted by key as in Go's JSON; empty for an absent map. */
export function sortedEntries<T>(map: Readonly<Record<string, T>> | undefined): [string, T][] {
  return Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
}
