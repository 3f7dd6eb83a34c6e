import type { ApiRequest } from '#lib/server/request/api-request.ts';

/** Returns the values of a header, each as sent. If the platform joins them, returns the one joined value. */
export function headerValues({ headers, rawHeaders }: ApiRequest, name: string): readonly string[] {
  if (rawHeaders === undefined) return headers[name] === undefined ? [] : [headers[name]];
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
}
