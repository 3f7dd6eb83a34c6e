import { defined } from '#lib/machinery/defined.ts';
import { certificateOf } from '#lib/server/authentication/vouched-certificate.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { bodyOf, type EventBody } from './body.ts';
import type { EventPorts } from './ports.ts';

type Lists = Readonly<Record<string, readonly string[] | undefined>>;

/** The fields used from an API Gateway REST API event (payload format 1.0). */
export interface RestEvent extends EventBody {
  readonly httpMethod: string;
  /** The path exactly as the client sent it, without the stage. */
  readonly path: string;
  readonly multiValueHeaders: Lists | null;
  /** Query parameters, which the gateway has decoded once. */
  readonly multiValueQueryStringParameters: Lists | null;
  readonly requestContext: {
    readonly domainName?: string;
    readonly identity: {
      readonly sourceIp: string;
      /** Set for a domain with a trust store, which has verified the certificate. Clients cannot set this field. */
      readonly clientCert?: { readonly clientCertPem: string } | null;
    };
  };
}

/** Converts a REST API event to the core's request. */
export function restRequest(event: RestEvent, { signal, vouched }: EventPorts): ApiRequest {
  const { httpMethod, path, requestContext } = event;
  const query = new URLSearchParams(pairs(event.multiValueQueryStringParameters));
  const rawHeaders = pairs(event.multiValueHeaders);
  const headers = joined(rawHeaders);
  const pem = requestContext.identity.clientCert?.clientCertPem;
  const certificate = pem === undefined ? vouched(headers) : certificateOf(pem, ['client']);
  return {
    method: httpMethod,
    path,
    uri: query.size === 0 ? path : `${path}?${query.toString()}`,
    query,
    headers,
    rawHeaders: rawHeaders.flat(),
    connection: {
      remoteAddress: requestContext.identity.sourceIp,
      ...defined({ clientCertificate: certificate }),
    },
    body: () => bodyOf(event),
    signal,
  };
}

const pairs = (lists: Lists | null): [string, string][] =>
  Object.entries(lists ?? {}).flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value]));

function joined(headers: readonly [string, string][]): Record<string, string> {
  const all = new Map<string, string>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const before = all.get(key);
    all.set(key, before === undefined ? value : `${before}${key === 'cookie' ? '; ' : ', '}${value}`);
  }
  return Object.fromEntries(all);
}
