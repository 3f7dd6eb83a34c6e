import { defined } from '#lib/machinery/defined.ts';
import { parseQuery } from '#lib/server/endpoints/parse-query.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { bodyOf, type EventBody } from './body.ts';
import type { EventPorts } from './ports.ts';

/** The fields used from a function URL event (payload format 2.0). */
export interface FunctionUrlEvent extends EventBody {
  /** The path exactly as the client sent it. */
  readonly rawPath: string;
  readonly rawQueryString: string;
  /** The values of a repeated header are joined with commas. Cookies are a separate field. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies?: readonly string[];
  readonly requestContext: {
    readonly domainName: string;
    readonly http: { readonly method: string; readonly sourceIp: string };
  };
}

/** Converts a function URL event to the core's request. */
export function functionUrlRequest(event: FunctionUrlEvent, { signal, vouched }: EventPorts): ApiRequest {
  const { rawPath, rawQueryString, requestContext, cookies = [] } = event;
  const named = Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const headers = Object.fromEntries(cookies.length === 0 ? named : [...named, ['cookie', cookies.join('; ')]]);
  const certificate = vouched(headers);
  return {
    method: requestContext.http.method,
    path: rawPath,
    uri: rawQueryString === '' ? rawPath : `${rawPath}?${rawQueryString}`,
    query: parseQuery(rawQueryString),
    headers,
    connection: { remoteAddress: requestContext.http.sourceIp, ...defined({ clientCertificate: certificate }) },
    body: () => bodyOf(event),
    signal,
  };
}
