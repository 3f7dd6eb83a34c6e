import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Client } from '#lib/client/client.ts';
import { EVENTS, newEvent } from '#lib/client/events/event-recorder.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { Recent } from '#lib/machinery/recent.ts';
import { instantOf, microTimeText } from '#lib/machinery/time.ts';
import type { PodEvent } from './framework/interface.ts';

/** Milliseconds after which an event is written anew, as upstream's series end. */
const SERIES = 6 * 60 * 1000;
/** The number of events that are remembered, to count repeats. */
const REMEMBERED = 4096;

/** The ports of the events' recorder. */
export interface RecordPorts {
  readonly client: Client;
  readonly clock: Clock;
  /** Numbers from 0 to below 1. */
  random(): number;
  reportFault(error: unknown): void;
}

/** An event that was written, and how often. */
interface Recorded {
  name: string;
  count: number;
  /** Milliseconds since the epoch; 0 before the first. */
  last: number;
}

/**
 * Writes events about pods in the name of a scheduler. A repeat adds to the count of the event that this process wrote: the scheduler
 * may not read events. An event that the server refuses is lost; other failures are reported.
 */
export function podEvents(ports: RecordPorts): (schedulerName: string, pod: Pod, event: PodEvent) => Promise<void> {
  const recorded = new Recent<string, Recorded>(REMEMBERED);
  return async (schedulerName, pod, event) => {
    const key = JSON.stringify([schedulerName, uidOf(pod), event.type, event.reason, event.action, event.message]);
    try {
      await write(
        ports,
        recorded.get(key, 1, () => ({ name: '', count: 0, last: 0 })),
        { schedulerName, pod, event },
      );
    } catch (error) {
      if (!(error instanceof StatusError)) ports.reportFault(error);
    }
  };
}

async function write(
  { client, clock, random }: RecordPorts,
  recorded: Recorded,
  { schedulerName, pod, event }: { readonly schedulerName: string; readonly pod: Pod; readonly event: PodEvent },
): Promise<void> {
  const now = clock.now();
  const time = microTimeText(instantOf(new Date(now)));
  const goesOn = now - recorded.last < SERIES;
  recorded.last = now;
  recorded.count = goesOn ? recorded.count + 1 : 1;
  if (goesOn) {
    const ref = { resource: EVENTS, namespace: namespaceOf(pod), name: recorded.name };
    await client.patch(ref, { series: { count: recorded.count, lastObservedTime: time } });
    return;
  }
  recorded.name = `${nameOf(pod)}.${now.toString(16)}${Math.floor(random() * 2 ** 20)
    .toString(16)
    .padStart(5, '0')}`;
  const { message: note, related, ...text } = event;
  const about = { ...text, note, ...(related === undefined ? {} : { related: referenceOf(related) }) };
  await client.create(
    EVENTS,
    newEvent({ name: recorded.name, time, controller: schedulerName }, referenceOf(pod), about),
  );
}

const referenceOf = (pod: Pod) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: nameOf(pod),
    namespace: namespaceOf(pod),
    uid: uidOf(pod),
    resourceVersion: resourceVersionOf(pod),
  },
});
