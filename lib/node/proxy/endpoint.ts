import type { EndpointPort, EndpointSlice, Endpoint as EndpointSpec } from '#lib/api/types/discovery.v1.ts';
import { joinHostPort } from '#lib/machinery/net/host-port.ts';
import { addressOf } from './ip.ts';
import { type IPFamily, portKey, protocolOf, type ServiceName } from './types.ts';

/** An endpoint of a Service port (upstream: BaseEndpointInfo). */
export interface Endpoint {
  /** Address and port in the form of Go's net.JoinHostPort. */
  readonly text: string;
  readonly ip: string;
  readonly port: number;
  /** Whether the endpoint is on this node. */
  readonly isLocal: boolean;
  /** Ready and not terminating, or published regardless of readiness. */
  readonly isReady: boolean;
  /** Serving, whether terminating or not. */
  readonly isServing: boolean;
  readonly isTerminating: boolean;
  readonly zoneHints: readonly string[];
  readonly nodeHints: readonly string[];
}

/** The endpoints of a Service by port key, sorted by their texts (upstream: EndpointSliceCache). */
export function endpointsOf(
  service: ServiceName,
  slices: Iterable<EndpointSlice>,
  family: IPFamily,
  node: string,
): ReadonlyMap<string, readonly Endpoint[]> {
  const found = new Map<string, Map<string, Endpoint>>();
  for (const slice of slices)
    if (slice.addressType === family)
      for (const port of slice.ports ?? []) {
        const key = keyOf(service, port);
        if (key === undefined) continue;
        const known = found.get(key) ?? new Map<string, Endpoint>();
        found.set(key, known);
        for (const spec of slice.endpoints ?? []) add(known, endpointOf(spec, port.port ?? 0, family, node));
      }
  return new Map([...found].map(([key, known]) => [key, [...known.values()].sort(byText)]));
}

/** The port key. Undefined for a port without a name or number, or with a protocol that Services do not support. */
function keyOf(service: ServiceName, { name, port, protocol: given }: EndpointPort): string | undefined {
  const protocol = protocolOf(given);
  if (name === undefined || protocol === undefined) return undefined;
  if (port === undefined || !Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
  return portKey({ service, port: name, protocol });
}

const byText = (one: Endpoint, other: Endpoint): number => (one.text < other.text ? -1 : 1);

/** Adds an endpoint. A new pod may have the address of a terminating pod: the new pod's endpoint wins. */
function add(known: Map<string, Endpoint>, endpoint: Endpoint | undefined): void {
  if (endpoint !== undefined && (!known.has(endpoint.text) || !endpoint.isTerminating))
    known.set(endpoint.text, endpoint);
}

/** The endpoint. Undefined without an address of the family. */
function endpointOf(spec: EndpointSpec, port: number, family: IPFamily, node: string): Endpoint | undefined {
  const ip = addressOf(spec.addresses?.[0] ?? '', family);
  if (ip === undefined) return undefined;
  const { conditions, hints, nodeName } = spec;
  return {
    text: joinHostPort(ip, port),
    ip,
    port,
    isLocal: node !== '' && nodeName === node,
    isReady: conditions?.ready ?? true,
    isServing: conditions?.serving ?? true,
    isTerminating: conditions?.terminating ?? false,
    zoneHints: (hints?.forZones ?? []).map(({ name }) => name),
    nodeHints: (hints?.forNodes ?? []).map(({ name }) => name),
  };
}
