import type { ForwardedPort } from '../nftables/proxier.ts';
import type { ServiceName } from '../types.ts';

/** The response to a load balancer's check whether this node has endpoints of a Service. */
export interface HealthAnswer {
  readonly status: 200 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The health check node ports of a node. */
export interface HealthCheckPorts {
  /** Serves exactly these ports of Services. The next call retries a port that could not be served. */
  sync(ports: ReadonlyMap<ServiceName, number>): Promise<void>;
}

/** The health check node ports by Service (upstream: HealthCheckNodePorts). */
export const healthCheckNodePorts = (ports: Iterable<ForwardedPort>): ReadonlyMap<ServiceName, number> =>
  new Map(
    [...ports].flatMap(({ port: { service, healthCheckNodePort } }) =>
      healthCheckNodePort === 0 ? [] : [[service, healthCheckNodePort] as const],
    ),
  );

/** The number of distinct addresses of ready endpoints on this node, by Service (upstream: LocalReadyEndpoints). */
export function localReadyEndpoints(ports: Iterable<ForwardedPort>): ReadonlyMap<ServiceName, number> {
  const addresses = new Map<ServiceName, Set<string>>();
  for (const { port, endpoints } of ports)
    for (const { ip, isLocal, isReady } of endpoints)
      if (isLocal && isReady) addresses.set(port.service, (addresses.get(port.service) ?? new Set()).add(ip));
  return new Map([...addresses].map(([service, { size }]) => [service, size]));
}

/** Upstream's response to any request: 200 if the node has endpoints of the Service and its proxy is healthy. */
export function healthAnswer(service: ServiceName, count: number, isProxyHealthy: boolean): HealthAnswer {
  const [namespace = '', name = ''] = service.split('/');
  const body = [
    '{',
    '\t"service": {',
    `\t\t"namespace": ${JSON.stringify(namespace)},`,
    `\t\t"name": ${JSON.stringify(name)}`,
    '\t},',
    `\t"localEndpoints": ${count},`,
    `\t"serviceProxyHealthy": ${isProxyHealthy}`,
    '}',
  ];
  return {
    status: count > 0 && isProxyHealthy ? 200 : 503,
    headers: {
      'content-type': 'application/json',
      'x-content-type-options': 'nosniff',
      'x-load-balancing-endpoint-weight': String(count),
    },
    body: body.join('\n'),
  };
}
