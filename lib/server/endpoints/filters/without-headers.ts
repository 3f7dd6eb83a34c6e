import { unauthorized } from '#lib/machinery/errors.ts';
import { digestOf } from '#lib/server/authentication/node-assertion/claims.ts';
import { type ApiRequest, withBody } from '#lib/server/request/api-request.ts';

/** Returns the same request without some headers. Names are in lower case. Returns the identical request if it has none of them. */
export function withoutHeaders(request: ApiRequest, isHidden: (name: string) => boolean): ApiRequest {
  const headers: Record<string, string | undefined> = {};
  const hidden: string[] = [];
  for (const name of Object.keys(request.headers)) {
    if (isHidden(name)) hidden.push(name);
    else headers[name] = request.headers[name];
  }
  if (hidden.length === 0) return request;
  const { rawHeaders } = request;
  if (rawHeaders === undefined) return { ...request, headers };
  const isShown = (_: string, i: number): boolean => !hidden.includes(rawHeaders[i - (i % 2)]?.toLowerCase() ?? '');
  return { ...request, headers, rawHeaders: rawHeaders.filter(isShown) };
}

/**
 * Returns the same request with a body that throws StatusError (401) if its digest differs. The body is not streamed, because no part of it
 * may be used before all of it is verified.
 */
export const withVerifiedBody = (request: ApiRequest, digest: string): ApiRequest =>
  withBody(request, async () => {
    const body = await request.body();
    if (digestOf(body) !== digest) throw unauthorized();
    return body;
  });
