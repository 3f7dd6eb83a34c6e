import type { ForwardedPort } from '../nftables/proxier.ts';
import type { ServiceName } from '../types.ts';

/** An answer to a load balancer that asks whether this node has endpoints of a Service. */
export interface HealthAnswer {
  readonly status: 200 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The ports at which a node answers load balancers. */
export interface HealthCheckPorts {
  /** Serves these ports of Services, and no others. A port that cannot be served is tried again with the next call. */
  sync(ports: ReadonlyMap<ServiceName, number>): Promise<void>;
}

/** The ports that nodes serve for load balancers, by Services (upstream: HealthCheckNodePorts). */
export const healthCheckNodePorts = (ports: Iterable<ForwardedPort>): ReadonlyMap<ServiceName, number> =>
  new Map(
    [...ports].flatMap(({ port: { service, healthCheckNodePort } }) =>
      healthCheckNodePort === 0 ? [] : [[service, healthCheckNodePort] as const],
    ),
  );

/** How many ready endpoints each Service has on this node, by addresses (upstream: LocalReadyEndpoints). */
export function localReadyEndpoints(ports: Iterable<ForwardedPort>): ReadonlyMap<ServiceName, number> {
  const addresses = new Map<ServiceName, Set<string>>();
  for (const { port, endpoints } of ports)
    for (const { ip, isLocal, isReady } of endpoints)
      if (isLocal && isReady) addresses.set(port.service, (addresses.get(port.service) ?? new Set()).add(ip));
  return new Map([...addresses].map(([service, { size }]) => [service, size]));
}

/** Upstream's answer, for any request: 200 where the node has endpoints of the Service and its proxy works. */
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
