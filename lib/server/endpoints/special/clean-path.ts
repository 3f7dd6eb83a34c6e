/** Returns X-Forwarded-Uri as upstream's proxies set it: like cleanPath, but with the trailing slash preserved. */
export const forwardedUri = (path: string): string => `${cleanPath(path)}${path.endsWith('/') ? '/' : ''}`;

/** Returns a rooted path without empty segments, `.` and `..`, like Go's path.Clean. A `..` never leads above the root. */
export function cleanPath(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '.' && segment !== '') kept.push(segment);
  }
  return `/${kept.join('/')}`;
}
