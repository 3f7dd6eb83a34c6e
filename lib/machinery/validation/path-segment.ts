/**
 * Upstream's IsValidPathSegmentName and IsValidPathSegmentPrefix, which apply to names of all kinds. `prefix` is true for a generateName.
 */
export function pathSegmentName(name: string, prefix: boolean): string[] {
  if (!prefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}
