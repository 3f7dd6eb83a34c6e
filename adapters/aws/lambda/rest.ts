import { defined } from '#lib/machinery/defined.ts';
import { certificateOf } from '#lib/server/authentication/vouched-certificate.ts';
import type { ApiRequest } from '#lib/server/endpoints/api.ts';
import { bodyOf, type EventBody } from './body.ts';
import type { EventPorts } from './ports.ts';

type Lists = Readonly<Record<string, readonly string[] | undefined>>;

/** The fields that are read of the event of an API Gateway REST API: payload format 1.0. */
export interface RestEvent extends EventBody {
  readonly httpMethod: string;
  /** As sent, without the stage. */
  readonly path: string;
  readonly multiValueHeaders: Lists | null;
  /** Decoded once by the gateway. */
  readonly multiValueQueryStringParameters: Lists | null;
  readonly requestContext: {
    readonly domainName?: string;
    readonly identity: {
      readonly sourceIp: string;
      /** Of a domain with a trust store, which has verified it. Nothing that a client sends gets here. */
      readonly clientCert?: { readonly clientCertPem: string } | null;
    };
  };
}

/** The core's view of an event of a REST API. */
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
    remoteAddress: requestContext.identity.sourceIp,
    body: () => bodyOf(event),
    get signal() {
      return signal();
    },
    ...defined({ clientCertificate: certificate }),
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
