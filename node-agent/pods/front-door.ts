import type { Service } from '#lib/api/types/core.v1.ts';

const HTTPS = 443;

/**
 * Sets the address of the Service `kubernetes` to the address at which this node reaches the API server. Pods can then reach it without a
 * cluster network.
 */
export function withFrontDoor(services: readonly Service[], url: string): readonly Service[] {
  const { hostname, port } = new URL(url);
  const number = port === '' ? HTTPS : Number(port);
  return services.map((service) => {
    const { namespace, name } = service.metadata;
    if (namespace !== 'default' || name !== 'kubernetes') return service;
    const ports = (service.spec.ports ?? []).map((one) => ({ ...one, port: number }));
    return { ...service, spec: { ...service.spec, clusterIP: hostname.replaceAll(/[[\]]/g, ''), ports } };
  });
}
