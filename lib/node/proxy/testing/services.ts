import type { ServicePort as PortSpec, Service, ServiceSpec } from '#lib/api/types/core.v1.ts';
import type { EndpointSlice, Endpoint as EndpointSpec } from '#lib/api/types/discovery.v1.ts';
import type { Endpoint } from '../endpoint.ts';
import type { ServicePort } from '../service-port.ts';

/** The name of the node in tests. */
export const NODE = 'n1';

/** A Service in the default namespace with port 80 and the ClusterIP 10.96.0.5. */
export const aService = (spec: Partial<ServiceSpec> = {}, name = 'web', ingress: readonly string[] = []): Service => ({
  metadata: { name, namespace: 'default' },
  spec: {
    type: 'ClusterIP',
    clusterIP: '10.96.0.5',
    clusterIPs: ['10.96.0.5'],
    ipFamilies: ['IPv4'],
    ports: [aPortSpec()],
    ...spec,
  },
  status: { loadBalancer: { ingress: ingress.map((ip) => ({ ip })) } },
});

/** A port of a Service's spec: TCP 80. */
export const aPortSpec = (spec: Partial<PortSpec> = {}): PortSpec => ({
  port: 80,
  protocol: 'TCP',
  targetPort: 8080,
  ...spec,
});

/** A ready endpoint of a slice, on another node. */
export const anEndpointSpec = (address: string, more: Partial<EndpointSpec> = {}): EndpointSpec => ({
  addresses: [address],
  conditions: { ready: true, serving: true, terminating: false },
  nodeName: 'n2',
  ...more,
});

/** A slice of the Service `web` with port 8080. */
export const aSlice = (
  endpoints: EndpointSpec[],
  more: Partial<EndpointSlice> = {},
  name = 'web-1',
): EndpointSlice => ({
  metadata: { name, namespace: 'default', labels: { 'kubernetes.io/service-name': 'web' } },
  addressType: 'IPv4',
  endpoints,
  ports: [{ name: '', port: 8080, protocol: 'TCP' }],
  ...more,
});

/** A port of the Service default/web with the policy Cluster for all packets. */
export const aServicePort = (more: Partial<ServicePort> = {}): ServicePort => ({
  service: 'default/web',
  port: '',
  protocol: 'TCP',
  number: 80,
  clusterIP: '10.96.0.5',
  externalIPs: [],
  loadBalancerVIPs: [],
  sourceRanges: [],
  nodePort: 0,
  healthCheckNodePort: 0,
  externalPolicyLocal: false,
  internalPolicyLocal: false,
  ...more,
});

/** A ready endpoint 10.244.0.N:8080 on another node, without hints. */
export const anEndpoint = (n: number, more: Partial<Endpoint> = {}): Endpoint => ({
  text: `10.244.0.${n}:8080`,
  ip: `10.244.0.${n}`,
  port: 8080,
  isLocal: false,
  isReady: true,
  isServing: true,
  isTerminating: false,
  zoneHints: [],
  nodeHints: [],
  ...more,
});
