import type { Event } from '#lib/api/types/events.v1.ts';
import { EVENTSV1_EVENTS as EVENTS } from '#lib/api/types/resources.ts';
import { defined } from '#lib/machinery/defined.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { instantOf, microTimeText } from '#lib/machinery/time.ts';
import type { Client } from '../client.ts';
import { clientset } from '../clientset.ts';
import { eventName } from '../event-name.ts';
import { type EventSeries, FINISH } from './event-series.ts';
import { type EventText, newEvent, type Regarding } from './new-event.ts';

/** Creates events about objects. */
export interface EventRecorder {
  /**
   * Records an event. Repetitions that differ only in their note form a series. The count of a series is written with the second
   * occurrence, every 30 minutes, and when the series ends. Never throws a response of the server, because no caller depends on events.
   */
  event(regarding: Regarding, text: EventText): Promise<void>;
}

/** The ports of an event recorder. */
export interface EventRecorderPorts {
  readonly client: Client;
  /** The events of this process. */
  readonly series: EventSeries;
  /** The name of the reporting controller. */
  readonly controller: string;
  /**
   * Returns a unique suffix for the names of events. By default names are derived from the content, and a new process continues the series
   * of an earlier one. That requires permission to get events.
   */
  nonce?(): string;
  /** Called with the server's error if it rejects an event. The event is then lost. */
  onError(error: unknown): void;
}

/** Records events of events.k8s.io (upstream: tools/events). */
export function eventRecorder(ports: EventRecorderPorts): EventRecorder {
  return {
    async event(regarding, text) {
      await writeDue(ports);
      const event = ports.series.observe(eventOf(ports, regarding, text));
      if (event !== undefined) await orReport(ports, record(ports, event));
    },
  };
}

/** Writes the counts of due series until the signal aborts. For a long-running process. */
export async function keepSeries(ports: EventRecorderPorts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await ports.series.clock.sleep(FINISH, signal);
    await writeDue(ports);
  }
}

async function writeDue(ports: EventRecorderPorts): Promise<void> {
  for (const event of ports.series.due()) await orReport(ports, record(ports, event));
}

async function orReport({ onError }: EventRecorderPorts, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    onError(error);
  }
}

/** Patches a series, or creates an event. Creates the event again if it has expired. */
async function record(ports: EventRecorderPorts, event: Event): Promise<void> {
  try {
    if (event.series === undefined) await create(ports, event);
    else await patch(ports, event);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (event.series !== undefined && error.reason === 'NotFound') return create(ports, event);
    if (event.series !== undefined || error.reason !== 'AlreadyExists') throw error;
    await resume(ports, event);
  }
}

async function create({ client }: EventRecorderPorts, event: Event): Promise<void> {
  await clientset(client).create(EVENTS, event);
}

async function patch({ client }: EventRecorderPorts, { metadata, series }: Event): Promise<void> {
  const { namespace = '', name = '' } = metadata;
  await clientset(client).patch({ resource: EVENTS, namespace, name }, { ...defined({ series }) });
}

/** Continues the count of an event from an earlier process. */
async function resume(ports: EventRecorderPorts, event: Event): Promise<void> {
  const { namespace = '', name = '' } = event.metadata;
  const known = await clientset(ports.client).get({ resource: EVENTS, namespace, name });
  if (known !== undefined) await patch(ports, ports.series.resume(event, known.series?.count ?? 1));
}

function eventOf({ controller, series, nonce }: EventRecorderPorts, regarding: Regarding, text: EventText) {
  const time = microTimeText(instantOf(new Date(series.clock.now())));
  const words = [text.type, text.reason, text.action, text.note];
  const said = [controller, regarding.metadata.uid, ...words, nonce?.()];
  const name = eventName(regarding.metadata.name ?? '', said);
  return newEvent({ name, time, controller }, regarding, text);
}
