import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Client } from '#lib/client/client.ts';
import { type EventRecorderPorts, eventRecorder, keepSeries } from '#lib/client/events/event-recorder.ts';
import type { EventSeries } from '#lib/client/events/event-series.ts';
import { nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import type { PodEvent } from './framework/interface.ts';

/** The ports of the event recorder. */
export interface RecordPorts {
  readonly client: Client;
  /** Tracks the event series of this process. */
  readonly series: EventSeries;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). */
  random(): number;
  reportFault(error: unknown): void;
}

/**
 * Creates a recorder of pod events with a scheduler as their source. Drops an event that the server rejects, and reports other failures.
 */
export function podEvents(ports: RecordPorts): (schedulerName: string, pod: Pod, event: PodEvent) => Promise<void> {
  return async (schedulerName, pod, { message: note, related, ...words }) => {
    const text = { ...words, note, ...(related === undefined ? {} : { related: referenceOf(related) }) };
    await eventRecorder(recorderPorts(ports, schedulerName)).event(referenceOf(pod), text).catch(ports.reportFault);
  };
}

/** Writes the counts of series that are due, until the signal aborts. */
export const keepPodEvents = (ports: RecordPorts, signal: AbortSignal): Promise<void> =>
  keepSeries(recorderPorts(ports, ''), signal).catch(ports.reportFault);

/** The scheduler has no permission to read events, so it never increments the count of another process. */
const recorderPorts = ({ client, series, random }: RecordPorts, controller: string): EventRecorderPorts => ({
  client,
  series,
  controller,
  nonce: () => `${series.clock.now()} ${random()}`,
  onError: () => undefined,
});

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
