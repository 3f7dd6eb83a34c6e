/** The place of a syntax error, as at the start of its stack (`/…/site.ts:3`): `site.ts:3: `, or an empty string. */
export function faultPlace({ stack = '' }: Error): string {
  const line = /^\S*?([^/]+:\d+)$/.exec(stack.split('\n')[0] ?? '')?.[1];
  return line === undefined ? '' : `${line}: `;
}
