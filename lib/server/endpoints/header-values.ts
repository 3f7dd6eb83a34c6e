import type { ApiRequest } from './api.ts';

/** The values of a header, each as it was sent; of a platform that joins them, the one that it gives. */
export function headerValues({ headers, rawHeaders }: ApiRequest, name: string): readonly string[] {
  if (rawHeaders === undefined) return headers[name] === undefined ? [] : [headers[name]];
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
}
