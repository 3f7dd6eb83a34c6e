import { typedObject } from '#lib/api/typed.ts';
import { ENDPOINT_SLICES, NAMESPACES, SERVICES } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { ClusterNames } from '#lib/node/dns/cluster-names.ts';
import type { Draw } from '#test/unit/differential/draw.ts';

const HTTP = { name: 'http', port: 80, protocol: 'TCP' };
const DNS = { name: 'dns', port: 53, protocol: 'UDP' };
const BARE = { port: 8080 };

/** A Service or an EndpointSlice to create. */
export interface Made {
  readonly kind: 'service' | 'slice';
  readonly namespace: string;
  readonly name: string;
  readonly body: JsonObject;
}

/** Namespaces of the test cluster. One has a name that is also part of DNS names. */
export const CLUSTER_NAMESPACES = ['default', 'kube-system', 'svc', 'other'];

const service = (name: string, spec: JsonObject, namespace = 'default'): Made => ({
  kind: 'service',
  namespace,
  name,
  body: { spec },
});

/** A Service with an address, in the namespace `default`. */
export const plain = (name: string, clusterIP: string, ports: JsonObject[]): Made =>
  service(name, { clusterIP, ports });

/** A Service without an address, in the namespace `default`. */
export const headless = (name: string, ports: JsonObject[]): Made => service(name, { clusterIP: 'None', ports });

/** A slice of a Service in the namespace `default`. */
export const slice = (
  of: string,
  index: number,
  addressType: string,
  endpoints: JsonObject[],
  ports: JsonObject[] = [HTTP],
): Made => ({
  kind: 'slice',
  namespace: 'default',
  name: `${of}-${index}`,
  body: {
    labels: { 'kubernetes.io/service-name': of },
    addressType,
    endpoints: endpoints.map((one) => ({ conditions: {}, ...one })),
    ports,
  },
});

const alias = (name: string, externalName: string): Made => service(name, { type: 'ExternalName', externalName });

/** Objects in each form of the specification, and edge cases that a random generator would miss. */
export function fixedObjects(): Made[] {
  const many = Array.from({ length: 60 }, (_, i) => ({ addresses: [`10.2.0.${i + 1}`] }));
  const some = Array.from({ length: 6 }, (_, i) => ({ addresses: [`10.3.0.${i + 1}`], hostname: `host-${i}` }));
  return [
    plain('web', '10.96.0.7', [HTTP, DNS]),
    plain('plain', '10.96.0.8', [BARE]),
    service('db', { clusterIP: 'None', ports: [HTTP], publishNotReadyAddresses: true }),
    service('bare', { clusterIP: 'None' }),
    headless('idle', [HTTP]),
    headless('many', [HTTP]),
    headless('some', [HTTP]),
    service('svc', { clusterIP: '10.96.0.9', ports: [HTTP] }, 'svc'),
    service('web', { clusterIP: '10.96.0.10', ports: [HTTP] }, 'other'),
    alias('outside', 'db.example.com'),
    alias('inside', 'web.default.svc.cluster.local'),
    alias('chain', 'inside.default.svc.cluster.local'),
    alias('round', 'trip.default.svc.cluster.local'),
    alias('trip', 'round.default.svc.cluster.local'),
    alias('self', 'self.default.svc.cluster.local'),
    alias('nowhere', 'none.default.svc.cluster.local'),
    alias('server', 'ns.dns.cluster.local'),
    alias('apex', 'cluster.local'),
    slice('web', 1, 'IPv4', [{ addresses: ['10.1.0.1'], hostname: 'w' }, { addresses: ['10.1.0.2'] }]),
    slice('db', 1, 'IPv4', [
      { addresses: ['10.1.0.3'], hostname: 'a' },
      { addresses: ['10.1.0.4'], hostname: 'b', conditions: { ready: true, serving: false } },
      { addresses: ['10.1.0.5'], conditions: { ready: false } },
      { addresses: ['10.1.0.6'], conditions: { ready: true, terminating: true } },
    ]),
    slice('db', 2, 'IPv6', [{ addresses: ['fd00::3'], hostname: 'a' }, { addresses: ['fd00::'] }]),
    slice('bare', 1, 'IPv4', [{ addresses: ['10.1.0.3'], hostname: 'a' }], []),
    slice('many', 1, 'IPv4', many, [HTTP, { ...DNS, protocol: 'TCP' }]),
    slice('some', 1, 'IPv4', some),
  ];
}

/** Services and slices that a seed determines: normal and headless ones, ports with and without names, endpoints that are not ready. */
export function randomObjects(draw: Draw): Made[] {
  const ports = (): JsonObject[] => {
    const named = draw.several(1, 4, (i) => ({
      name: draw.pick(['http', 'dns', 'grpc', 'x']) + i,
      port: draw.between(1, 9000),
      protocol: draw.pick(['TCP', 'UDP', 'SCTP']),
    }));
    return draw.chance(0.2) ? [BARE] : named;
  };
  return Array.from({ length: 12 }, (_, i) => {
    const name = `r${i}`;
    const isHeadless = draw.chance(0.6);
    const spec = isHeadless ? { clusterIP: 'None', ports: ports() } : { ports: ports() };
    const member = (family: string, at: number): JsonObject => ({
      addresses: [family === 'IPv4' ? `10.${10 + i}.${draw.between(0, 2)}.${at}` : `fd00:${i + 1}::${at.toString(16)}`],
      conditions: draw.pick([
        {},
        { ready: true },
        { ready: false },
        { ready: true, serving: false, terminating: true },
      ]),
      ...(draw.chance(0.4) ? { hostname: draw.pick(['a', 'b', 'c']) + at } : {}),
    });
    const slices = draw.several(0, 4, (index) => {
      const family = draw.pick(['IPv4', 'IPv4', 'IPv6']);
      const members = draw.several(0, 5, (at) => member(family, index * 10 + at + 1));
      return slice(name, index, family, members, draw.chance(0.1) ? [] : ports());
    });
    return [service(name, spec), ...slices];
  }).flat();
}

/** Creates the objects on a server. */
export async function create(client: Client, made: readonly Made[]): Promise<void> {
  for (const name of CLUSTER_NAMESPACES) await client.create(NAMESPACES, { metadata: { name } });
  for (const one of made) await client.create(one.kind === 'service' ? SERVICES : ENDPOINT_SLICES, objectOf(one));
}

function objectOf({ namespace, name, body }: Made): JsonObject {
  const { labels = {}, ...rest } = body;
  return { metadata: { namespace, name, labels }, ...rest };
}

/** The names for objects without a server's defaults. */
export function namesWithoutServer(made: readonly Made[]): ClusterNames {
  const names = new ClusterNames();
  for (const name of CLUSTER_NAMESPACES) names.addNamespace(name);
  for (const one of made) {
    const key = `${one.namespace}/${one.name}`;
    if (one.kind === 'service') names.setService(key, typedObject(SERVICES, objectOf(one)));
    else names.setSlice(key, typedObject(ENDPOINT_SLICES, objectOf(one)));
  }
  return names;
}

/** The names for the objects of a server. */
export async function namesOf(client: Client): Promise<ClusterNames> {
  const names = new ClusterNames();
  for (const one of await client.list(NAMESPACES)) names.addNamespace(nameOf(one));
  for (const one of await client.list(SERVICES))
    names.setService(`${namespaceOf(one)}/${nameOf(one)}`, typedObject(SERVICES, one));
  for (const one of await client.list(ENDPOINT_SLICES))
    names.setSlice(`${namespaceOf(one)}/${nameOf(one)}`, typedObject(ENDPOINT_SLICES, one));
  return names;
}
