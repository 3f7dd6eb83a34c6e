import { typedObject } from '#lib/api/typed.ts';
import type { APIService } from '#lib/api/types/apiregistration.v1.ts';
import { API_SERVICES, ENDPOINT_SLICES, SERVICES } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import type { ObjectChange, Reconciler } from '#lib/client/controller/reconciler.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { findCondition, setCondition } from '#lib/machinery/conditions.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { labelsOf } from '#lib/machinery/meta.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';
import {
  type Availability,
  endpointsAccessError,
  failedDiscoveryCheck,
  LOCAL,
  PASSED,
  serviceAccessError,
  unreachable,
} from '#lib/server/aggregation/availability.ts';
import type { AvailabilityMetrics } from '#lib/server/aggregation/availability-metrics.ts';
import type { DiscoveryCheck } from '#lib/server/aggregation/discovery-check.ts';
import { mayBeRemote, type RemoteService, remoteService } from '#lib/server/aggregation/remote-services.ts';
import { ServicesOfAPIServices } from './services.ts';

const SERVICE_NAME = 'kubernetes.io/service-name';
/** The interval in ms between two checks of a server: upstream's resync. */
const RECHECK = 30_000;
/** The delay in ms before a failed server is checked again. */
const RETRY = { duration: 250, factor: 2, cap: RECHECK };

/** How to reach the servers of APIServices, and the counters of their failures. */
export interface AvailabilityPorts {
  /** By default no server is called, and a server whose Service has endpoints counts as available. */
  readonly check?: DiscoveryCheck | undefined;
  readonly metrics: AvailabilityMetrics;
  /** The number of consecutive failures of each APIService's server, by name. It outlives the reconciler. */
  readonly failures: Map<string, number>;
}

/**
 * Keeps the condition Available of APIServices: upstream's local and remote AvailableConditionController. Servers are checked every
 * 30 seconds, and sooner if they failed or their Service changed. Keys are names of APIServices.
 */
export function apiServiceStatusController(
  untyped: Client,
  clock: Clock,
  { check, metrics, failures }: AvailabilityPorts,
): Reconciler {
  const client = clientset(untyped);
  const services = new ServicesOfAPIServices();
  return {
    name: 'apiservice-status-available-controller',
    keys: (change) => concerned(change, services),
    async reconcile(name) {
      const ref = { resource: API_SERVICES, namespace: '', name };
      const service = await client.get(ref);
      if (service === undefined) {
        failures.delete(name);
        metrics.forget(name);
        return undefined;
      }
      const remote = remoteService(service);
      const found = remote === undefined ? localAvailability(service) : await availability(remote, client, check);
      const before = findCondition(service.status.conditions, 'Available');
      const now = found ?? before;
      if (now !== undefined) metrics.checked(name, before?.status, now);
      if (found === undefined) return undefined;
      const conditions = setCondition(service.status.conditions, { type: 'Available', ...found }, clock.now());
      if (conditions !== service.status.conditions)
        await client
          .update(
            ref,
            { ...service, status: { ...service.status, conditions: conditions.map((one) => ({ ...one })) } },
            'status',
          )
          .catch(ignoreNotFound);
      if (remote === undefined) return undefined;
      return check === undefined ? undefined : { requeueAfter: nextCheck(name, found, failures) };
    },
  };
}

/** The APIServices that a change concerns. Services and EndpointSlices are examined only while an APIService names a Service. */
function concerned(change: ObjectChange, services: ServicesOfAPIServices): readonly string[] {
  const { type, group, resource, namespace, name } = change;
  if (group === API_SERVICES.group && resource === API_SERVICES.resource) {
    const service = type === 'DELETED' ? undefined : typedObject(API_SERVICES, change.object());
    services.put(name, service?.spec.service);
    return [name];
  }
  if (services.isEmpty) return [];
  if (group === SERVICES.group && resource === SERVICES.resource) return services.of(namespace, name);
  if (group !== ENDPOINT_SLICES.group || resource !== ENDPOINT_SLICES.resource) return [];
  return services.of(namespace, labelsOf(change.object())[SERVICE_NAME] ?? '');
}

/**
 * Group versions that this server serves are available. Undefined if the condition is up to date, or if the group version may be remote.
 */
function localAvailability({ spec, status }: APIService): Availability | undefined {
  const { service, group = '', version = '' } = spec;
  if (service !== undefined && mayBeRemote({ group, version })) return undefined;
  const known = findCondition(status.conditions, 'Available');
  return known?.reason === LOCAL.reason && known.status === LOCAL.status ? undefined : LOCAL;
}

async function availability(
  remote: RemoteService,
  client: Clientset,
  check: AvailabilityPorts['check'],
): Promise<Availability> {
  const { namespace, name } = remote.service;
  try {
    const service = await client.get({ resource: SERVICES, namespace, name });
    const slices = await client
      .list(ENDPOINT_SLICES, { namespace, labelSelector: `${SERVICE_NAME}=${name}` })
      .catch((error: unknown) => messageOfError(error));
    if (typeof slices === 'string') return endpointsAccessError(remote, slices);
    const wrong = unreachable(remote, service, slices);
    if (wrong !== undefined) return wrong;
  } catch (error) {
    return serviceAccessError(remote, messageOfError(error));
  }
  const failed = await check?.(remote);
  return failed === undefined ? PASSED : failedDiscoveryCheck(failed);
}

function nextCheck(name: string, { reason }: Availability, failures: Map<string, number>): number {
  if (reason !== 'FailedDiscoveryCheck') {
    failures.delete(name);
    return RECHECK;
  }
  const times = (failures.get(name) ?? 0) + 1;
  failures.set(name, times);
  return delayAfter(times, RETRY);
}
