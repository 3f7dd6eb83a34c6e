import { notFound, serviceUnavailable, unclassified } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { parseStored } from '#lib/machinery/json.ts';
import { arrayAt, isObject, objectAt, ownField, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { keyPrefix, objectKey } from '#lib/storage/keys.ts';
import type { ReadAt, StorageOf } from '#lib/storage/storage.ts';
import type { Address, ServiceResolver } from './service-resolver.ts';

/** The cluster whose EndpointSlices are read, and their storage. */
export interface EndpointSlicesOptions {
  readonly cluster: string;
  readonly storageOf: StorageOf;
}

const SERVICES = { group: '', resource: 'services' };
const SLICES = { group: 'discovery.k8s.io', resource: 'endpointslices' };
const SERVICE_LABEL = 'kubernetes.io/service-name';
const ANY: ReadAt = { kind: 'any' };

/** Upstream's ResolveEndpoint: the first ready endpoint of the Service's port. An ExternalName leads to that name. */
export function endpointSlices({ cluster, storageOf }: EndpointSlicesOptions): ServiceResolver {
  return {
    async resolve({ namespace, name, port }) {
      const key = objectKey({ cluster, ...SERVICES, namespace, name });
      const stored = await storageOf(SERVICES).get(key, ANY);
      if (stored === undefined) throw notFound({ group: '', resource: 'service' }, name);
      const spec = objectAt(parsed(stored.body), 'spec');
      const type = stringAt(spec, 'type') ?? 'ClusterIP';
      if (type === 'ExternalName') return { host: stringAt(spec, 'externalName') ?? '', port };
      if (!ROUTED.has(type)) throw unclassified(`unsupported service type ${quote(type)}`);
      const portName = servicePort(spec, name, port);
      const prefix = keyPrefix({ cluster, ...SLICES }, namespace);
      const { objects } = await storageOf(SLICES).list({
        prefix,
        at: ANY,
        limit: 0,
        matches: ({ summary }) => summary.labels[SERVICE_LABEL] === name,
      });
      const found = objects.map(({ body }) => readyEndpoint(parsed(body), portName)).find((at) => at !== undefined);
      if (found === undefined) throw serviceUnavailable(`no endpoints available for service ${quote(name)}`);
      return found;
    },
  };
}

const ROUTED: ReadonlySet<string> = new Set(['ClusterIP', 'LoadBalancer', 'NodePort']);

function parsed(body: Uint8Array): JsonObject {
  const value = parseStored(body);
  return isObject(value) ? value : {};
}

/** The name of the Service's port of that number; '' where it has none. */
function servicePort(spec: JsonObject | undefined, name: string, port: number): string {
  const ports = arrayAt(spec, 'ports').filter(isObject);
  const found = ports.find((item) => Number(ownField(item, 'port')) === port);
  if (found === undefined) throw serviceUnavailable(`no service port ${port} found for service ${quote(name)}`);
  return stringAt(found, 'name') ?? '';
}

function readyEndpoint(slice: JsonObject, portName: string): Address | undefined {
  const port = arrayAt(slice, 'ports')
    .filter(isObject)
    .find((item) => (stringAt(item, 'name') ?? '') === portName && typeof ownField(item, 'port') === 'number');
  const ready = arrayAt(slice, 'endpoints')
    .filter(isObject)
    .find((endpoint) => ownField(objectAt(endpoint, 'conditions'), 'ready') !== false);
  const [host] = arrayAt(ready, 'addresses');
  return port === undefined || typeof host !== 'string' ? undefined : { host, port: Number(ownField(port, 'port')) };
}
