/** As cleanPath, but a slash at the end stays: X-Forwarded-Uri, as upstream's proxies set it. */
export const forwardedUri = (path: string): string => `${cleanPath(path)}${path.endsWith('/') ? '/' : ''}`;

/** A rooted path without empty segments, `.` and `..`, which lead nowhere above the root: Go's path.Clean. */
export function cleanPath(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '.' && segment !== '') kept.push(segment);
  }
  return `/${kept.join('/')}`;
}
