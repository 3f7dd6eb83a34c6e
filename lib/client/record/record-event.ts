import type { Event } from '#lib/api/types/core.v1.ts';
import { EVENTS } from '#lib/api/types/resources.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import type { Client } from '../client.ts';
import { type Clientset, clientset } from '../clientset.ts';
import { eventName } from '../event-name.ts';
import type { Correlated, EventCorrelator } from './event-correlator.ts';
import { type EventText, newEvent } from './new-event.ts';
import { writeEvent } from './write-event.ts';

/** A component that records events about objects of one kind. */
export interface Recorder {
  readonly client: Client;
  readonly component: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** The events of this process, shared by all its recorders. */
  readonly events: EventCorrelator;
}

/**
 * Records an event about an object (upstream: record.EventRecorder). The correlator counts repetitions, aggregates similar events, and
 * drops events of an object with too many. The name of an event is derived from its content, so a newly started process continues the
 * count. A rejected event is lost, because no caller depends on events.
 */
export const recordEvent = (recorder: Recorder, object: JsonObject, text: EventText): Promise<void> =>
  record(recorder, eventOf(recorder, object, text), countOn);

/** Like `recordEvent`, but does not count a repetition while an event with the same content exists. */
export async function recordOnce(recorder: Recorder, object: JsonObject, text: EventText): Promise<void> {
  const event = eventOf(recorder, object, text);
  if (!recorder.events.hasObserved(event)) await record(recorder, event, keep);
}

/** Loads the event that an earlier process created. */
type Existing = (client: Clientset, event: Event) => Promise<Event>;

async function record({ client, events }: Recorder, event: Event, existing: Existing): Promise<void> {
  const correlated = events.correlate(event, () => nameFor({ ...event, message: '(combined from similar events)' }));
  if (correlated === undefined) return;
  try {
    events.written(correlated.key, await write(clientset(client), correlated, existing));
  } catch (error) {
    events.failed(correlated.key);
    if (!(error instanceof StatusError)) throw error;
  }
}

async function write(client: Clientset, correlated: Correlated, existing: Existing): Promise<Event> {
  try {
    return await writeEvent(client, correlated);
  } catch (error) {
    if (!(error instanceof StatusError) || error.reason !== 'AlreadyExists') throw error;
    return existing(client, correlated.event);
  }
}

const keep: Existing = (_, event) => Promise.resolve(event);

async function countOn(client: Clientset, event: Event): Promise<Event> {
  const { namespace = '', name = '' } = event.metadata;
  const ref = { resource: EVENTS, namespace, name };
  const known = await client.get(ref);
  if (known === undefined) return event;
  const { lastTimestamp, message = '' } = event;
  return client.patch(ref, { count: (known.count ?? 0) + 1, lastTimestamp, message });
}

function eventOf({ component, apiVersion, kind, events }: Recorder, object: JsonObject, text: EventText): Event {
  const namespace = namespaceOf(object);
  const involvedObject = {
    kind,
    ...(namespace === '' ? {} : { namespace }),
    name: nameOf(object),
    uid: uidOf(object),
    apiVersion,
    resourceVersion: resourceVersionOf(object),
  };
  const time = timeOf(events.clock.now());
  const event = newEvent({ component }, involvedObject, text, { name: '', time });
  return { ...event, metadata: { ...event.metadata, name: nameFor(event) } };
}

const nameFor = ({ source, involvedObject: { name = '', uid }, type, reason, message }: Event): string =>
  eventName(name, [source.component, uid, type, reason, message]);
