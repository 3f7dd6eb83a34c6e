import { EVENTS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import type { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { recordEvent } from '#lib/client/record/record-event.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { hasFailed, type Invocation, type InvocationSink } from '#lib/sdk/invocation/invocation.ts';
import { type KeyedObject, objectOfKey } from './objects-of-keys.ts';

/** The attempt from which a failure counts as lasting. Earlier ones fail for transient reasons: a write conflict, a missing object. */
const LASTING = 4;
/** The time in ms during which a reconciler creates no further event for the same object. */
const QUIET = 5 * 60_000;
/** The maximum number of objects whose last event is remembered. */
const REMEMBERED = 1000;
/** The component names of reconcilers that create events as another component, as upstream does. */
const COMPONENTS: Readonly<Record<string, string>> = {
  attachdetach: 'attachdetach-controller',
  disruption: 'controllermanager',
  endpoint: 'endpoint-controller',
  endpointslice: 'endpoint-slice-controller',
  endpointslicemirroring: 'endpoint-slice-mirroring-controller',
  'ephemeral-volume': 'ephemeral_volume',
  'resource-claim': 'resource_claim',
};
/** The ports for creating events. */
export interface FailureEventPorts {
  readonly client: Client;
  readonly events: EventCorrelator;
}

/**
 * Creates an Event `ReconcileError` for an object that a built-in reconciler fails on repeatedly. If the reconciler has itself recorded a
 * warning with a specific reason, as upstream's do, creates no further event. An event that the server rejects is lost.
 */
export function failureEvents(ports: FailureEventPorts): InvocationSink {
  const told = new Map<string, number>();
  return {
    async record(invocation) {
      const object = lastingFailure(invocation) ? objectOfKey(invocation.function, invocation.key ?? '') : undefined;
      if (object === undefined || !isTime(told, `${invocation.function} ${invocation.key}`, ports.events.clock.now()))
        return;
      try {
        await tell(ports, object, invocation);
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
      }
    },
  };
}

const lastingFailure = (invocation: Invocation): boolean =>
  hasFailed(invocation) && (invocation.outcome === 'Terminal' || invocation.attempt >= LASTING);

function isTime(told: Map<string, number>, key: string, now: number): boolean {
  if ((told.get(key) ?? -Infinity) > now - QUIET) return false;
  told.delete(key);
  told.set(key, now);
  const [oldest] = told.keys();
  if (told.size > REMEMBERED && oldest !== undefined) told.delete(oldest);
  return true;
}

async function tell({ client, events }: FailureEventPorts, { kind, ...ref }: KeyedObject, invocation: Invocation) {
  const { message = '' } = invocation;
  const component = COMPONENTS[invocation.function] ?? invocation.function;
  const object = await client.get(ref);
  if (object === undefined || (await hasToldItself(client, object, component))) return;
  const version = apiVersion(ref.resource);
  const recorder = { client, component, apiVersion: version, kind, events };
  await recordEvent(recorder, object, { type: 'Warning', reason: 'ReconcileError', message });
}

/** Whether the component created its own warning. Events expire after an hour, so existing ones are recent. */
async function hasToldItself(client: Client, object: JsonObject, component: string): Promise<boolean> {
  const fieldSelector = `involvedObject.uid=${uidOf(object)},type=Warning`;
  const events = await clientset(client).list(EVENTS, { namespace: namespaceOf(object) || 'default', fieldSelector });
  return events.some(({ source, reason }) => source.component === component && reason !== 'ReconcileError');
}
