import type { EndpointPort, EndpointSlice, Endpoint as EndpointSpec } from '#lib/api/types/discovery.v1.ts';
import { addressOf, hostPort } from './ip.ts';
import { type IPFamily, portKey, protocolOf, type ServiceName } from './types.ts';

/** An endpoint of a Service's port (upstream: BaseEndpointInfo). */
export interface Endpoint {
  /** Address and port, as Go joins them. */
  readonly text: string;
  readonly ip: string;
  readonly port: number;
  /** Whether it is on this node. */
  readonly isLocal: boolean;
  /** Ready and not terminating, or published whether ready or not. */
  readonly isReady: boolean;
  /** Ready, whether or not it terminates. */
  readonly isServing: boolean;
  readonly isTerminating: boolean;
  readonly zoneHints: readonly string[];
  readonly nodeHints: readonly string[];
}

/** The endpoints of a Service by the keys of its ports, in the order of their texts (upstream: EndpointSliceCache). */
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

/** Undefined for a port without a name or number, and of another protocol. */
function keyOf(service: ServiceName, { name, port, protocol: given }: EndpointPort): string | undefined {
  const protocol = protocolOf(given);
  if (name === undefined || protocol === undefined) return undefined;
  if (port === undefined || !Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
  return portKey({ service, port: name, protocol });
}

const byText = (one: Endpoint, other: Endpoint): number => (one.text < other.text ? -1 : 1);

/** The network may give the address of a pod that ends to another one: that one wins. */
function add(known: Map<string, Endpoint>, endpoint: Endpoint | undefined): void {
  if (endpoint !== undefined && (!known.has(endpoint.text) || !endpoint.isTerminating))
    known.set(endpoint.text, endpoint);
}

/** Undefined without an address of the family. */
function endpointOf(spec: EndpointSpec, port: number, family: IPFamily, node: string): Endpoint | undefined {
  const ip = addressOf(spec.addresses?.[0] ?? '', family);
  if (ip === undefined) return undefined;
  const { conditions, hints, nodeName } = spec;
  return {
    text: hostPort(ip, port),
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
