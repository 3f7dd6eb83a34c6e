import { createHash } from 'node:crypto';
import type { Event } from '#lib/api/types/events.v1.ts';
import { EVENTSV1_EVENTS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import type { KubernetesObject } from '#lib/client/typed-client.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { instantOf, microTimeText } from '#lib/machinery/time.ts';

/** The resource of the events that are recorded. */
export const EVENTS = EVENTSV1_EVENTS;
/** Characters of a note at most, as the API has it. */
const NOTE_LIMIT = 1024;
/** Milliseconds within which the same told again is not counted: attempts follow each other faster than anybody reads. */
const QUIET = 1000;

/** The content of an event. */
export interface EventText {
  readonly type: 'Normal' | 'Warning';
  /** Why, in one word: `Created`. */
  readonly reason: string;
  /** The action that was taken or tried, in one word. */
  readonly action: string;
  readonly note: string;
  /** Another object that it is about. */
  readonly related?: KubernetesObject;
}

/** Creates events about objects. */
export interface EventRecorder {
  /** The same told again counts on one event's series, at most once a second. Never throws what the server answers: nothing waits on events. */
  event(regarding: KubernetesObject, text: EventText): Promise<void>;
}

/** The ports of an event recorder. */
export interface EventRecorderPorts {
  readonly client: Client;
  readonly clock: Clock;
  /** The name of who tells. */
  readonly controller: string;
  onError(error: unknown): void;
}

/** Events of events.k8s.io. An event's name follows from what it says, so that a new process counts on. */
export function eventRecorder(ports: EventRecorderPorts): EventRecorder {
  return {
    async event(regarding, text) {
      const told = { ...text, note: text.note.slice(0, NOTE_LIMIT) };
      try {
        await createOrCount(ports, regarding, told);
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        ports.onError(error);
      }
    },
  };
}

async function createOrCount(ports: EventRecorderPorts, regarding: KubernetesObject, text: EventText): Promise<void> {
  const { client, clock } = ports;
  const { metadata } = regarding;
  const namespace = metadata.namespace ?? 'default';
  const ref = { resource: EVENTS, namespace, name: nameOf(ports, regarding, text) };
  const time = microTimeText(instantOf(new Date(clock.now())));
  const known = await clientset(client).get(ref);
  if (known !== undefined) {
    if (clock.now() - lastOf(known) < QUIET) return;
    await client.patch(ref, { series: { count: (known.series?.count ?? 1) + 1, lastObservedTime: time } });
    return;
  }
  await client.create(EVENTS, newEvent({ name: ref.name, time, controller: ports.controller }, regarding, text));
}

/** An event that is told the first time. */
export function newEvent(
  { name, time, controller }: { readonly name: string; readonly time: string | null; readonly controller: string },
  regarding: KubernetesObject,
  { related, ...text }: EventText,
): JsonObject {
  return {
    metadata: { namespace: regarding.metadata.namespace ?? 'default', name },
    eventTime: time,
    reportingController: controller,
    reportingInstance: controller,
    regarding: referenceTo(regarding),
    ...defined({ related: related && referenceTo(related) }),
    ...text,
  };
}

/** The time of the last occurrence, milliseconds since 1970. */
const lastOf = ({ series, eventTime }: Event): number => Date.parse(series?.lastObservedTime ?? eventTime ?? '') || 0;

function referenceTo({ apiVersion, kind, metadata }: KubernetesObject): JsonObject {
  const { name = '', namespace = '', uid = '', resourceVersion = '' } = metadata;
  return { apiVersion, kind, name, namespace, uid, resourceVersion };
}

function nameOf({ controller }: EventRecorderPorts, { metadata }: KubernetesObject, text: EventText): string {
  const said = JSON.stringify([controller, metadata.uid, text.type, text.reason, text.action, text.note]);
  return `${metadata.name}.${createHash('sha256').update(said).digest('hex').slice(0, 16)}`;
}
