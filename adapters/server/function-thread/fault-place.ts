/** Where syntax is wrong, as the stack of such an error begins (`/…/site.ts:3`): `site.ts:3: `, or nothing. */
export function faultPlace({ stack = '' }: Error): string {
  const line = /^\S*?([^/]+:\d+)$/.exec(stack.split('\n')[0] ?? '')?.[1];
  return line === undefined ? '' : `${line}: `;
}
