import { typedObject } from '#lib/api/typed.ts';
import type { Service } from '#lib/api/types/core.v1.ts';
import type { Endpoint, EndpointSlice } from '#lib/api/types/discovery.v1.ts';
import { ENDPOINT_SLICES, SERVICES } from '#lib/api/types/resources.ts';
import { defined } from '#lib/machinery/defined.ts';
import { notFound, serviceUnavailable, unclassified } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { keyPrefix, objectKey } from '#lib/storage/keys.ts';
import { type Lookup, parsedObject, storageLookup } from '#lib/storage/lookup.ts';
import type { ReadAt, StorageOf } from '#lib/storage/storage.ts';
import { endpointPod, type PlacedEndpoint, refuseSimulated } from './endpoint-pod.ts';
import type { Address, PodOnNode, ServiceResolver } from './service-resolver.ts';

/** The cluster whose objects are read, and their storage. */
export interface StoredIn {
  readonly cluster: string;
  readonly storageOf: StorageOf;
}

/** The ports of a resolver that reads Services and EndpointSlices. */
export interface EndpointSlicesOptions extends StoredIn {
  /** Returns a random number in [0, 1). */
  random(): number;
  /** Whether pods of the node are reached through its agent's channel. Default no. */
  hasChannel?(node: string): boolean | Promise<boolean>;
}

const SERVICE_LABEL = 'kubernetes.io/service-name';
const ANY: ReadAt = { kind: 'any' };
const ROUTED: ReadonlySet<string> = new Set(['ClusterIP', 'LoadBalancer', 'NodePort']);

/**
 * Resolves a Service to any ready endpoint of its port, unless the endpoint's node is simulated. An ExternalName service resolves to that
 * name. Upstream's ResolveEndpoint.
 */
export function endpointSlices(options: EndpointSlicesOptions): ServiceResolver {
  const lookup = storageLookup(options);
  return {
    async resolve({ namespace, name, port }) {
      const service = await storedService(options, namespace, name);
      const { type = 'ClusterIP', externalName = '', ipFamilies = [] } = service.spec;
      if (type === 'ExternalName') return { host: externalName, port };
      if (!ROUTED.has(type)) throw unclassified(`unsupported service type ${quote(type)}`);
      const portName = servicePort(service, name, port);
      const slices = await slicesOf(options, namespace, name);
      for (const slice of inOrder(slices, ipFamilies[0], options)) {
        const found = readyEndpoint(slice, portName, options);
        if (found === undefined) continue;
        const { endpoint, ...address } = found;
        const via = await wayTo({ host: address.host, endpoint, namespace }, lookup, options);
        return { ...address, ...defined({ via }) };
      }
      throw serviceUnavailable(`no endpoints available for service ${quote(name)}`);
    },
  };
}

async function storedService({ cluster, storageOf }: StoredIn, namespace: string, name: string): Promise<Service> {
  const { group, resource } = SERVICES;
  const stored = await storageOf(SERVICES).get(objectKey({ cluster, group, resource, namespace, name }), ANY);
  if (stored === undefined) throw notFound({ group: '', resource: 'service' }, name);
  return typedObject(SERVICES, parsedObject(stored));
}

async function slicesOf({ cluster, storageOf }: StoredIn, namespace: string, name: string): Promise<EndpointSlice[]> {
  const { group, resource } = ENDPOINT_SLICES;
  const { objects } = await storageOf(ENDPOINT_SLICES).list({
    prefix: keyPrefix({ cluster, group, resource }, namespace),
    at: ANY,
    limit: 0,
    matches: ({ summary }) => summary.labels[SERVICE_LABEL] === name,
  });
  return objects.map((stored) => typedObject(ENDPOINT_SLICES, parsedObject(stored)));
}

/** Returns the name of the Service's port with that number. '' if it has none. */
function servicePort({ spec: { ports } }: Service, name: string, port: number): string {
  const found = ports?.find((one) => one.port === port);
  if (found === undefined) throw serviceUnavailable(`no service port ${port} found for service ${quote(name)}`);
  return found.name ?? '';
}

/** Sorts endpoints of the Service's first address family first. Otherwise the order is random. */
const inOrder = (
  slices: readonly EndpointSlice[],
  family: string | undefined,
  { random }: EndpointSlicesOptions,
): EndpointSlice[] =>
  slices
    .map((slice) => ({ slice, rank: slice.addressType === family ? 0 : 1, chance: random() }))
    .toSorted((a, b) => a.rank - b.rank || a.chance - b.chance)
    .map(({ slice }) => slice);

interface Found extends Address {
  readonly endpoint: Endpoint;
}

/** Returns the first ready endpoint after a random position. */
function readyEndpoint(
  { ports, endpoints }: EndpointSlice,
  portName: string,
  { random }: EndpointSlicesOptions,
): Found | undefined {
  const port = ports?.find((one) => (one.name ?? '') === portName && one.port !== undefined)?.port;
  if (port === undefined || endpoints === null) return undefined;
  const start = Math.floor(random() * endpoints.length);
  const turned = [...endpoints.slice(start), ...endpoints.slice(0, start)];
  const endpoint = turned.find(({ conditions }) => conditions.ready !== false);
  const host = endpoint?.addresses?.[0];
  return endpoint === undefined || host === undefined ? undefined : { host, port, endpoint };
}

/**
 * Returns the channel to an endpoint if it is a pod whose node has one. Any other address is dialled directly, as in upstream. Throws
 * StatusError (503) for an endpoint on a simulated node.
 */
async function wayTo(
  placed: PlacedEndpoint,
  lookup: Lookup,
  { hasChannel }: EndpointSlicesOptions,
): Promise<PodOnNode | undefined> {
  const pod = await endpointPod(placed, lookup);
  const { nodeName: node = '' } = placed.endpoint;
  if (pod?.metadata.uid !== undefined && (await hasChannel?.(node)) === true) return { node, podUid: pod.metadata.uid };
  await refuseSimulated(placed, pod, lookup);
  return undefined;
}
