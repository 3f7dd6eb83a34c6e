import { typedObject } from '#lib/api/typed.ts';
import type { Service } from '#lib/api/types/core.v1.ts';
import { ENDPOINT_SLICES, ENDPOINTS, SERVICES } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import type { ObjectChange, Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import type { EventText } from '#lib/client/record/new-event.ts';
import { recordEvent } from '#lib/client/record/record-event.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { splitKey } from '#lib/machinery/namespaced-name.ts';
import { MANAGED_BY, SERVICE_NAME } from '../endpointslice/labels.ts';
import { SliceServices } from '../endpointslice/slice-services.ts';
import { writeSlices } from '../endpointslice/write.ts';
import { CONTROLLER, decideMirror, isMirrored, MAX_ENDPOINTS, type Mirroring } from './decide.ts';

/** Mirrors the Endpoints that users create for services without selectors: upstream's endpoint slice mirroring controller. */
export function endpointSliceMirroringController(
  client: Client,
  clock: Clock,
  events = new EventCorrelator(clock),
): Reconciler {
  const slices = new SliceServices(CONTROLLER);
  const selecting = new Map<string, boolean>();
  return {
    name: 'endpointslicemirroring',
    keys(change) {
      if (change.group === 'discovery.k8s.io' && change.resource === 'endpointslices') return slices.take(change);
      if (change.group !== '') return [];
      const key = `${change.namespace}/${change.name}`;
      if (change.resource === 'endpoints') return selecting.get(key) === true ? [] : [key];
      return change.resource === 'services' ? keysOfService(change, key, selecting) : [];
    },
    reconcile: (key) => reconcile({ client: clientset(client), events }, key),
  };
}

/** Whether the service selects pods. A deleted service may have no spec. */
const selects = ({ spec }: Service): boolean => Object.keys(spec?.selector ?? {}).length > 0;

/** A service that has always selected pods has no mirrored slices. */
function keysOfService(change: ObjectChange, key: string, selecting: Map<string, boolean>): readonly string[] {
  const before = selecting.get(key);
  const now = selects(typedObject(SERVICES, change.object()));
  if (change.type === 'DELETED') selecting.delete(key);
  else selecting.set(key, now);
  return now && before !== false ? [] : [key];
}

async function reconcile(
  { client, events }: { client: Clientset; events: EventCorrelator },
  key: string,
): Promise<Result> {
  const { namespace, name } = splitKey(key);
  const labelSelector = `${SERVICE_NAME}=${name},${MANAGED_BY}=${CONTROLLER}`;
  const endpoints = await client.get({ resource: ENDPOINTS, namespace, name });
  const service = await client.get({ resource: SERVICES, namespace, name });
  const slices = await client.list(ENDPOINT_SLICES, { namespace, labelSelector });
  if (endpoints === undefined || !isMirrored(endpoints) || service === undefined || selects(service)) {
    await writeSlices(client, { create: [], update: [], delete: slices });
    return undefined;
  }
  const mirroring = decideMirror(endpoints, slices);
  const about = { client, component: 'endpoint-slice-mirroring-controller', apiVersion: 'v1', kind: 'Endpoints' };
  for (const event of eventsOf(mirroring)) await recordEvent({ ...about, events }, endpoints, event);
  await writeSlices(client, mirroring);
  return undefined;
}

/** Events are recorded only with a change, so that a settled state is reported once. */
function eventsOf({ create, update, delete: gone, invalid, skipped }: Mirroring): EventText[] {
  if (create.length + update.length + gone.length === 0) return [];
  const none = `Skipped ${invalid} invalid IP addresses when mirroring to EndpointSlices`;
  const many = `A max of ${MAX_ENDPOINTS} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skipped} addresses were skipped`;
  return [
    ...(invalid > 0 ? [{ type: 'Warning', reason: 'InvalidIPAddress', message: none } as const] : []),
    ...(skipped > invalid ? [{ type: 'Warning', reason: 'TooManyAddressesToMirror', message: many } as const] : []),
  ];
}
