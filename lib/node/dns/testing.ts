import { type DecodedPacket, decode, encode, type Packet, type RecordType } from 'dns-packet';
import type { Service, ServiceSpec } from '#lib/api/types/core.v1.ts';
import type { EndpointSlice } from '#lib/api/types/discovery.v1.ts';
import { ClusterNames } from './cluster-names.ts';
import { RCODES } from './record.ts';

/** A Service for tests. */
export const aService = (name: string, spec: Partial<ServiceSpec>): Service => ({
  metadata: { name, namespace: 'default' },
  spec: { ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 80 }], ...spec },
  status: { loadBalancer: {} },
});

/** A slice of a Service for tests. Each endpoint is an address, or an address and a hostname. */
export const aSlice = (
  service: string,
  endpoints: readonly (readonly [address: string, hostname?: string, ready?: boolean])[],
  ports = [{ name: 'http', port: 8080, protocol: 'TCP' }],
): EndpointSlice => ({
  metadata: { name: `${service}-1`, namespace: 'default', labels: { 'kubernetes.io/service-name': service } },
  addressType: 'IPv4',
  endpoints: endpoints.map(([address, hostname, ready]) => ({
    addresses: [address],
    conditions: ready === undefined ? {} : { ready },
    ...(hostname === undefined ? {} : { hostname }),
  })),
  ports,
});

/** The names of a small cluster: a normal Service `web`, the headless Services `db` and `idle`, and aliases. */
export function smallCluster(): ClusterNames {
  const names = new ClusterNames();
  for (const namespace of ['default', 'kube-system']) names.addNamespace(namespace);
  const add = (service: Service): void => names.setService(`default/${service.metadata.name}`, service);
  const ports = [
    { name: 'http', port: 80, protocol: 'TCP', targetPort: 80 },
    { name: 'dns', port: 53, protocol: 'UDP', targetPort: 53 },
  ];
  add(aService('web', { clusterIP: '10.96.0.7', clusterIPs: ['10.96.0.7', 'fd00::7'], ports }));
  add(aService('db', { clusterIP: 'None', clusterIPs: ['None'] }));
  add(aService('idle', { clusterIP: 'None' }));
  add(aService('outside', { type: 'ExternalName', externalName: 'db.example.com' }));
  add(aService('inside', { type: 'ExternalName', externalName: 'web.default.svc.cluster.local' }));
  add(aService('round', { type: 'ExternalName', externalName: 'trip.default.svc.cluster.local' }));
  add(aService('trip', { type: 'ExternalName', externalName: 'round.default.svc.cluster.local' }));
  names.setSlice('default/db-1', aSlice('db', [['10.244.0.5'], ['10.244.0.6', 'b'], ['10.244.0.9', 'c', false]]));
  names.setSlice('default/web-1', aSlice('web', [['10.244.0.8', 'w']]));
  return names;
}

/** A query as a client writes it. */
export const query = (name: string, type: RecordType, more: Partial<Packet> = {}): Uint8Array =>
  encode({ type: 'query', id: 7, flags: 0x0100, questions: [{ name, type }], ...more });

/** A message as a client reads it, with the name of its code. */
export function read(message: Uint8Array | undefined): DecodedPacket & { readonly rcode: string } {
  const bytes = Buffer.from(message ?? []);
  const code = (bytes[3] ?? 0) & 15;
  const [rcode = String(code)] = Object.entries(RCODES).flatMap(([name, number]) => (number === code ? name : []));
  return { ...decode(bytes), rcode };
}
