import type { Client } from '#lib/client/client.ts';
import { EVENTS, newEvent } from '#lib/controller/event-recorder.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { Recent } from '#lib/machinery/recent.ts';
import { instantOf, microTimeText } from '#lib/machinery/time.ts';
import type { PodEvent } from './framework/interface.ts';

/** Milliseconds after which the same is told anew, as upstream's series end. */
const SERIES = 6 * 60 * 1000;
/** How many events are remembered, to count those that are told again. */
const REMEMBERED = 4096;

export interface RecordPorts {
  readonly client: Client;
  readonly clock: Clock;
  /** Numbers from 0 to below 1. */
  random(): number;
  reportFault(error: unknown): void;
}

/** What was told, and how often. */
interface Told {
  name: string;
  count: number;
  /** Milliseconds since the epoch; 0: it was not. */
  last: number;
}

/**
 * Tells of pods as the scheduler of a name does. The same told again counts one up on what this process told: the scheduler may not
 * read events. What the server refuses is lost, what fails otherwise reported.
 */
export function podEvents(
  ports: RecordPorts,
): (schedulerName: string, pod: JsonObject, event: PodEvent) => Promise<void> {
  const told = new Recent<string, Told>(REMEMBERED);
  return async (schedulerName, pod, event) => {
    const said = JSON.stringify([schedulerName, uidOf(pod), event.type, event.reason, event.action, event.message]);
    try {
      await write(
        ports,
        told.get(said, 1, () => ({ name: '', count: 0, last: 0 })),
        { schedulerName, pod, event },
      );
    } catch (error) {
      if (!(error instanceof StatusError)) ports.reportFault(error);
    }
  };
}

async function write(
  { client, clock, random }: RecordPorts,
  told: Told,
  { schedulerName, pod, event }: { readonly schedulerName: string; readonly pod: JsonObject; readonly event: PodEvent },
): Promise<void> {
  const now = clock.now();
  const time = microTimeText(instantOf(new Date(now)));
  const goesOn = now - told.last < SERIES;
  told.last = now;
  told.count = goesOn ? told.count + 1 : 1;
  if (goesOn) {
    const ref = { resource: EVENTS, namespace: namespaceOf(pod), name: told.name };
    await client.patch(ref, { series: { count: told.count, lastObservedTime: time } });
    return;
  }
  told.name = `${nameOf(pod)}.${now.toString(16)}${Math.floor(random() * 2 ** 20)
    .toString(16)
    .padStart(5, '0')}`;
  const { message: note, related, ...text } = event;
  const about = { ...text, note, ...(related === undefined ? {} : { related: referenceOf(related) }) };
  await client.create(EVENTS, newEvent({ name: told.name, time, controller: schedulerName }, referenceOf(pod), about));
}

const referenceOf = (pod: JsonObject) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: nameOf(pod),
    namespace: namespaceOf(pod),
    uid: uidOf(pod),
    resourceVersion: resourceVersionOf(pod),
  },
});
