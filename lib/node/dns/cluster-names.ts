import type { Service } from '#lib/api/types/core.v1.ts';
import type { EndpointSlice } from '#lib/api/types/discovery.v1.ts';
import { canonicalIP } from '#lib/machinery/net/parse-addr.ts';

const SERVICE_NAME = 'kubernetes.io/service-name';

/** A ready endpoint of a Service. */
export interface NamedEndpoint {
  /** The endpoint's own name below that of the Service: the hostname, or the address with dashes. */
  readonly host: string;
  readonly address: string;
  readonly ports: readonly NamedPort[];
}

/** A port with or without a name. `number` is undefined if the slice specifies no port. Such a port has no SRV record. */
export interface NamedPort {
  readonly name: string;
  readonly protocol: string;
  readonly number: number | undefined;
}

/** The ready endpoints of a slice, and the key of its Service. */
interface Members {
  readonly service: string;
  readonly endpoints: readonly NamedEndpoint[];
}

/** The objects whose names cluster DNS serves. Keys are `namespace/name`. */
export class ClusterNames {
  readonly #services = new Map<string, Service>();
  readonly #slices = new Map<string, Members>();
  readonly #namespaces = new Set<string>();
  readonly #slicesOf = new Map<string, Set<string>>();
  readonly #servicesAt = new Map<string, string>();
  readonly #endpointsAt = new Map<string, Set<string>>();

  hasNamespace(name: string): boolean {
    return this.#namespaces.has(name);
  }

  addNamespace(name: string): void {
    this.#namespaces.add(name);
  }

  removeNamespace(name: string): void {
    this.#namespaces.delete(name);
  }

  service(key: string): Service | undefined {
    return this.#services.get(key);
  }

  /** Stores the latest version of a Service. */
  setService(key: string, service: Service): void {
    this.removeService(key);
    this.#services.set(key, service);
    for (const ip of clusterIPsOf(service)) this.#servicesAt.set(ip, key);
  }

  removeService(key: string): void {
    const before = this.#services.get(key);
    if (before === undefined) return;
    this.#services.delete(key);
    for (const ip of clusterIPsOf(before)) if (this.#servicesAt.get(ip) === key) this.#servicesAt.delete(ip);
  }

  /** Stores the latest version of an EndpointSlice. Slices without a Service and slices of the FQDN address type are ignored. */
  setSlice(key: string, slice: EndpointSlice): void {
    this.removeSlice(key);
    const service = serviceOf(key, slice);
    if (service === undefined || slice.addressType === 'FQDN') return;
    const endpoints = readyOf(slice);
    this.#slices.set(key, { service, endpoints });
    entry(this.#slicesOf, service).add(key);
    for (const { address } of endpoints) entry(this.#endpointsAt, address).add(key);
  }

  removeSlice(key: string): void {
    const before = this.#slices.get(key);
    if (before === undefined) return;
    this.#slices.delete(key);
    drop(this.#slicesOf, before.service, key);
    for (const { address } of before.endpoints) drop(this.#endpointsAt, address, key);
  }

  /** The ready endpoints of a Service, in the order of their slices' names. */
  endpoints(service: string): NamedEndpoint[] {
    const keys = [...(this.#slicesOf.get(service) ?? [])].toSorted();
    return keys.flatMap((key) => this.#slices.get(key)?.endpoints ?? []);
  }

  /** The key of the Service with a cluster IP. */
  serviceAt(address: string): string | undefined {
    return this.#servicesAt.get(address);
  }

  /** The Services with a ready endpoint at an address, and the endpoint's name in each. */
  endpointsAt(address: string): { readonly service: string; readonly host: string }[] {
    return [...(this.#endpointsAt.get(address) ?? [])].toSorted().flatMap((key) => {
      const { service = '', endpoints = [] } = this.#slices.get(key) ?? {};
      return endpoints.filter((one) => one.address === address).map(({ host }) => ({ service, host }));
    });
  }
}

/** The cluster IPs of a Service in RFC 5952 form. Empty for a headless Service and for ExternalName. */
export const clusterIPsOf = ({ spec }: Service): string[] =>
  (spec.clusterIPs ?? (spec.clusterIP === undefined ? [] : [spec.clusterIP])).flatMap((ip) => canonicalIP(ip) ?? []);

/** Whether a Service has endpoints but no cluster IP. */
export const isHeadless = ({ spec }: Service): boolean => spec.type !== 'ExternalName' && spec.clusterIP === 'None';

function serviceOf(key: string, { metadata: { labels = {} } }: EndpointSlice): string | undefined {
  const name = labels[SERVICE_NAME];
  return name === undefined || name === '' ? undefined : `${key.slice(0, key.indexOf('/'))}/${name}`;
}

/** The ready endpoints of a slice. Unknown readiness counts as ready (discovery/v1). */
function readyOf(slice: EndpointSlice): NamedEndpoint[] {
  const ports = (slice.ports ?? []).map(({ name = '', protocol = 'TCP', port }) => ({ name, protocol, number: port }));
  const declared = ports.length === 0 ? [{ name: '', protocol: '', number: undefined }] : ports;
  return (slice.endpoints ?? [])
    .filter(({ conditions }) => conditions.ready !== false)
    .flatMap(({ addresses, hostname }) =>
      (addresses ?? []).flatMap((text) => {
        const address = canonicalIP(text);
        if (address === undefined) return [];
        return { host: hostname === undefined || hostname === '' ? dashed(text) : hostname, address, ports: declared };
      }),
    );
}

/** The address with dashes. A label may not end with a dash, as `fd00--` would. */
const dashed = (address: string): string => address.replaceAll(/[.:]/g, '-').replace(/-$/, '-0');

function entry(map: Map<string, Set<string>>, key: string): Set<string> {
  const known = map.get(key) ?? new Set();
  map.set(key, known);
  return known;
}

function drop(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key);
  known?.delete(value);
  if (known?.size === 0) map.delete(key);
}
