import type { Service } from '#lib/api/types/core.v1.ts';
import type { EndpointSlice } from '#lib/api/types/discovery.v1.ts';
import { quote } from '#lib/machinery/go.ts';
import type { RemoteService } from './remote-services.ts';

/** The condition Available of an APIService, without its time. */
export interface Availability {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/** The condition of group versions that this server serves. */
export const LOCAL: Availability = {
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
};

/** The condition of a server that responds. */
export const PASSED: Availability = { status: 'True', reason: 'Passed', message: 'all checks passed' };

/** Returns the condition of a server that does not respond, with the reason. */
export const failedDiscoveryCheck = (message: string): Availability => ({
  status: 'False',
  reason: 'FailedDiscoveryCheck',
  message,
});

type Named = Pick<RemoteService, 'service'>;

const shown = ({ service: { namespace, name } }: Named): string => `service/${name} in ${quote(namespace)}`;

/** Returns the condition for a Service that could not be read. */
export const serviceAccessError = (remote: Named, why: string): Availability => ({
  status: 'Unknown',
  reason: 'ServiceAccessError',
  message: `${shown(remote)} cannot be checked due to: ${why}`,
});

/** Returns the condition for EndpointSlices that could not be read. */
export const endpointsAccessError = (remote: Named, why: string): Availability => ({
  status: 'Unknown',
  reason: 'EndpointsAccessError',
  message: `${shown(remote)} cannot be checked due to: ${why}`,
});

/** Returns why a Service cannot be reached, in upstream's order of checks. Undefined if its server should be contacted. */
export function unreachable(
  remote: Named,
  service: Service | undefined,
  slices: readonly EndpointSlice[],
): Availability | undefined {
  const { port } = remote.service;
  const no = (reason: string, message: string): Availability => ({ status: 'False', reason, message });
  if (service === undefined) return no('ServiceNotFound', `${shown(remote)} is not present`);
  if ((service.spec.type ?? 'ClusterIP') !== 'ClusterIP') return undefined;
  const found = service.spec.ports?.find((one) => one.port === port);
  if (found === undefined) return no('ServicePortError', `${shown(remote)} is not listening on port ${port}`);
  if (slices.length === 0) return no('EndpointsNotFound', `cannot find endpointslices for ${shown(remote)}`);
  const name = found.name ?? '';
  if (slices.some((slice) => isReady(slice, name))) return undefined;
  return no('MissingEndpoints', `endpointslices for ${shown(remote)} have no addresses with port name ${quote(name)}`);
}

const isReady = ({ endpoints, ports }: EndpointSlice, portName: string): boolean =>
  (endpoints ?? []).some(({ conditions }) => conditions.ready !== false) &&
  (ports ?? []).some(({ name, port }) => (name ?? '') === portName && port !== undefined);
