import { defined } from '#lib/machinery/defined.ts';
import type { ApiRequest } from '#lib/server/endpoints/api.ts';
import { parseQuery } from '#lib/server/endpoints/parse-query.ts';
import { bodyOf, type EventBody } from './body.ts';
import type { EventPorts } from './ports.ts';

/** The fields that are read of the event of a function URL: payload format 2.0. */
export interface FunctionUrlEvent extends EventBody {
  /** As sent. */
  readonly rawPath: string;
  readonly rawQueryString: string;
  /** A repeated header is joined by a comma; cookies stand apart. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies?: readonly string[];
  readonly requestContext: {
    readonly domainName: string;
    readonly http: { readonly method: string; readonly sourceIp: string };
  };
}

/** The core's view of an event of a function URL. */
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
    remoteAddress: requestContext.http.sourceIp,
    body: () => bodyOf(event),
    get signal() {
      return signal();
    },
    ...defined({ clientCertificate: certificate }),
  };
}
