/** The location of a syntax error from the start of its stack (`/…/site.ts:3`), as `site.ts:3: `, or an empty string. */
export function faultPlace({ stack = '' }: Error): string {
  const line = /^\S*?([^/]+:\d+)$/.exec(stack.split('\n')[0] ?? '')?.[1];
  return line === undefined ? '' : `${line}: `;
}
