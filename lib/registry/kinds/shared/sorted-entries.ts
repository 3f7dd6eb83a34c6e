/** The entries of a map by rising keys, as Go's JSON has them; none of an absent map. */
export const sortedEntries = <T>(map: Readonly<Record<string, T>> | undefined): [key: string, value: T][] =>
  Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
