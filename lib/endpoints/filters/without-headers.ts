import type { ApiRequest } from '../api.ts';

/** The same request without some headers; `signal` and the body stay where they are. Names are in lower case. */
export function withoutHeaders(request: ApiRequest, isHidden: (name: string) => boolean): ApiRequest {
  const hidden = Object.keys(request.headers).filter(isHidden);
  if (hidden.length === 0) return request;
  const headers = { ...request.headers };
  for (const name of hidden) delete headers[name];
  const rawHeaders = request.rawHeaders?.filter((_, i, all) => !hidden.includes(all[i - (i % 2)]?.toLowerCase() ?? ''));
  return Object.create(request, { headers: { value: headers }, rawHeaders: { value: rawHeaders } }) as ApiRequest;
}
