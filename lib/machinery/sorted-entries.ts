/** The entries of a map whose keys come from outside, sorted by key as Go's JSON has them; none of an absent map. */
export function sortedEntries<T>(map: Readonly<Record<string, T>> | undefined): [string, T][] {
  return Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
}
