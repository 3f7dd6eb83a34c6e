import { PORT } from './backends.ts';

/** A Service without a selector; the test creates the EndpointSlice. */
export const aService = (name: string, spec: object = {}, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { ports: [{ name: 'http', port: 80, targetPort: PORT }], ...spec },
  ...more,
});

/** An endpoint that is ready and on the test's node by default. */
export const anEndpoint = (address: string, more: object = {}): object => ({
  addresses: [address],
  conditions: { ready: true, serving: true, terminating: false },
  nodeName: 'n1',
  ...more,
});

/** The EndpointSlice of a Service with one port. */
export const aSlice = (service: string, endpoints: readonly object[], protocol = 'TCP'): object => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: `${service}-1`, labels: { 'kubernetes.io/service-name': service } },
  addressType: 'IPv4',
  ports: [{ name: 'http', port: PORT, protocol }],
  endpoints,
});
