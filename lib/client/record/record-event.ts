import { createHash } from 'node:crypto';
import type { Event } from '#lib/api/types/core.v1.ts';
import { EVENTS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset, type RefOf } from '#lib/client/clientset.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { instantOf, timeText } from '#lib/machinery/time.ts';

/** The words of an Event. */
export interface EventText {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** A component that tells of objects of one kind. */
export interface Recorder {
  readonly client: Client;
  readonly component: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Milliseconds since 1970. */
  now(): number;
}

/**
 * Tells of an object by an Event: upstream's event recorder. The same event told again counts one up, by a name that follows from
 * its words, so that a new process counts on. Nothing waits on events: one that the server refuses is lost.
 */
export async function recordEvent(recorder: Recorder, object: JsonObject, event: EventText): Promise<void> {
  try {
    await createOrCount(recorder, object, event);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
  }
}

/** As `recordEvent`, but an event that was told already is not told again. */
export async function recordOnce(recorder: Recorder, object: JsonObject, event: EventText): Promise<void> {
  try {
    await createOrCount(recorder, object, event, () => Promise.resolve());
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
  }
}

type CountUp = (client: Clientset, ref: RefOf<Event>, lastTimestamp: string | null) => Promise<void>;

async function createOrCount(
  recorder: Recorder,
  object: JsonObject,
  event: EventText,
  again: CountUp = countUp,
): Promise<void> {
  const { component, apiVersion, kind } = recorder;
  const client = clientset(recorder.client);
  const namespace = namespaceOf(object) || 'default';
  const name = eventName(recorder, object, event);
  const time = timeText(instantOf(new Date(recorder.now())));
  const involvedObject: JsonObject = {
    kind,
    ...(namespaceOf(object) === '' ? {} : { namespace }),
    name: nameOf(object),
    uid: uidOf(object),
    apiVersion,
    resourceVersion: resourceVersionOf(object),
  };
  const times = { firstTimestamp: time, lastTimestamp: time, count: 1 };
  const source = { source: { component }, reportingComponent: component };
  try {
    await client.create(EVENTS, { metadata: { namespace, name }, involvedObject, ...event, ...source, ...times });
  } catch (error) {
    if (!(error instanceof StatusError) || error.reason !== 'AlreadyExists') throw error;
    await again(client, { resource: EVENTS, namespace, name }, time);
  }
}

async function countUp(client: Clientset, ref: RefOf<Event>, lastTimestamp: string | null): Promise<void> {
  const told = await client.get(ref);
  if (told !== undefined) await client.patch(ref, { count: (told.count ?? 0) + 1, lastTimestamp });
}

function eventName({ component }: Recorder, object: JsonObject, { type, reason, message }: EventText): string {
  const said = [component, uidOf(object), type, reason, message].join('\n');
  return `${nameOf(object)}.${createHash('sha256').update(said).digest('hex').slice(0, 16)}`;
}
