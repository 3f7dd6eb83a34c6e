/** A path without empty parts, `.`, and `..` after a name, like Go's filepath.Clean. An empty path becomes `.`. */
export function cleanPath(path: string): string {
  const rooted = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!rooted) parts.push(part);
  }
  const text = parts.join('/');
  if (rooted) return `/${text}`;
  return text === '' ? '.' : text;
}

/** Joins parts to a clean path, skipping empty parts (Go: filepath.Join). */
export function joinPath(...parts: readonly string[]): string {
  const named = parts.filter((part) => part !== '');
  return named.length === 0 ? '' : cleanPath(named.join('/'));
}

/** The parent directory of a path. */
export const parentPath = (path: string): string => cleanPath(`${path}/..`);

/** The parts from a directory to a path below it. Empty for the directory itself, undefined for a path outside. Both are absolute. */
export function partsBelow(path: string, base: string): readonly string[] | undefined {
  const [full, root] = [cleanPath(path), cleanPath(base)];
  if (full === root) return [];
  const prefix = root === '/' ? '/' : `${root}/`;
  return full.startsWith(prefix) ? full.slice(prefix.length).split('/') : undefined;
}

/** Whether a path is a directory or below it. Only compares names (upstream: mount.PathWithinBase). */
export const pathWithinBase = (path: string, base: string): boolean => partsBelow(path, base) !== undefined;
