import { escape, toBytes } from '#lib/api/cel/library/url-escape.ts';
import { defined } from '#lib/machinery/defined.ts';
import { APISERVER_USER } from '#lib/server/authentication/user.ts';
import type { Target } from '#lib/server/channel/dialer.ts';
import type { NamedTls, RoundTripper } from '#lib/server/channel/round-tripper.ts';
import type { Location } from '#lib/server/endpoints/special/forward.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { serviceName } from '#lib/server/webhook/endpoint.ts';
import type { Address, ServiceResolver } from '#lib/server/webhook/service-resolver.ts';
import type { RemoteService } from './remote-services.ts';

/** How this server reaches aggregated servers. */
export interface AggregatedBackends {
  readonly roundTripper: RoundTripper;
  readonly resolver: ServiceResolver;
  /** Returns the current certificate that lets this server act for users, and its key, in PEM. Default: no certificate is presented. */
  client?(): NamedTls['client'];
}

/** Returns the address of an aggregated server. Throws StatusError if the Service, its port or its endpoints are missing. */
export async function locate(
  { resolver, ...backends }: AggregatedBackends,
  { service, caBundle, insecureSkipTLSVerify }: RemoteService,
  path: string,
): Promise<Location> {
  const address = await resolver.resolve(service);
  const serverName = serviceName(service);
  const client = backends.client?.();
  const tls: NamedTls = { serverName, caBundle, insecureSkipVerify: insecureSkipTLSVerify, ...defined({ client }) };
  return { target: targetOf(address), tls, path };
}

function targetOf({ host, port, via }: Address): Target {
  if (via === undefined) return { host, port, globalOnly: false };
  const purpose = { verb: 'proxy', podUID: via.podUid, container: '', user: APISERVER_USER } as const;
  return { host, port, globalOnly: true, via: { node: via.node, purpose } };
}

/** Returns the path and query of a forwarded request. The path is escaped again, and parameters are sorted by name, as in Go. */
export function pathAndQuery({ path, query }: Pick<ApiRequest, 'path' | 'query'>): string {
  const escaped = escape(toBytes(decodeURIComponent(path)), 'path');
  const part = (text: string): string => escape(toBytes(text), 'query').replaceAll('%20', '+');
  const parameters = [...query].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  if (parameters.length === 0) return escaped;
  return `${escaped}?${parameters.map(([name, value]) => `${part(name)}=${part(value)}`).join('&')}`;
}
