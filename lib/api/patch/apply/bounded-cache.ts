/** Caches the results of a pure function for at most `limit` inputs. A full cache is cleared. */
export function boundedCache<K, V extends object>(limit: number): (key: K, make: (key: K) => V) => V {
  const known = new Map<K, V>();
  return (key, make) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= limit) known.clear();
    const made = make(key);
    known.set(key, made);
    return made;
  };
}
