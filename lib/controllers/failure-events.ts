import type { Client } from '#lib/client/client.ts';
import { hasFailed, type Invocation, type InvocationSink } from '#lib/invocation/invocation.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { objectOfKey, type KeyedObject } from './objects-of-keys.ts';
import { recordEvent } from './workload/record-event.ts';

/** Before this attempt a failure is one that passes: someone wrote first, something is not there yet. */
const LASTING = 4;
/** Milliseconds for which an object is told nothing more by the same reconciler. */
const QUIET = 5 * 60_000;
/** Objects of which that is remembered. */
const REMEMBERED = 1000;
/** Reconcilers whose own events are by another name: upstream's. */
const COMPONENTS: Readonly<Record<string, string>> = {
  disruption: 'controllermanager',
  endpointslicemirroring: 'endpoint-slice-mirroring-controller',
  'ephemeral-volume': 'ephemeral_volume',
  'resource-claim': 'resource_claim',
};
const EVENTS = { group: '', version: 'v1', resource: 'events' };

export interface FailureEventPorts {
  readonly client: Client;
  readonly clock: Clock;
}

/**
 * Tells an object by an Event `ReconcileError` that a built-in reconciler goes on failing at it. Those that have a reason of their
 * own, as upstream's have, told it themselves: then nothing is added. What the server refuses to be told is lost.
 */
export function failureEvents(ports: FailureEventPorts): InvocationSink {
  const told = new Map<string, number>();
  return {
    async record(invocation) {
      const object = lastingFailure(invocation) ? objectOfKey(invocation.function, invocation.key ?? '') : undefined;
      if (object === undefined || !isTime(told, `${invocation.function} ${invocation.key}`, ports.clock.now())) return;
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

async function tell({ client, clock }: FailureEventPorts, { kind, ...ref }: KeyedObject, invocation: Invocation) {
  const { message = '' } = invocation;
  const component = COMPONENTS[invocation.function] ?? invocation.function;
  const object = await client.get(ref);
  if (object === undefined || (await hasToldItself(client, object, component))) return;
  const version = apiVersion(ref.resource);
  const recorder = { client, component, apiVersion: version, kind, now: () => clock.now() };
  await recordEvent(recorder, object, { type: 'Warning', reason: 'ReconcileError', message });
}

/** Events of an hour ago are gone: what is there is recent. */
async function hasToldItself(client: Client, object: JsonObject, component: string): Promise<boolean> {
  const fieldSelector = `involvedObject.uid=${uidOf(object)},type=Warning`;
  const events = await client.list(EVENTS, { namespace: namespaceOf(object) || 'default', fieldSelector });
  return events.some(
    (event) =>
      stringAt(objectAt(event, 'source'), 'component') === component && stringAt(event, 'reason') !== 'ReconcileError',
  );
}
