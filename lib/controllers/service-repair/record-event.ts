import { EVENTSV1_EVENTS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { eventName } from '#lib/client/event-name.ts';
import { type EventText, newEvent, type Regarding } from '#lib/client/events/new-event.ts';
import { ignore } from '#lib/client/ignore.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { instantOf, microTimeText } from '#lib/machinery/time.ts';

/** A warning with the arguments of upstream's recorder. */
export type Warning = Pick<EventText, 'reason' | 'action' | 'note'>;

interface Recording {
  readonly client: Client;
  readonly clock: Clock;
  /** The controller that reports it. */
  readonly reporter: string;
}

/**
 * Creates one event for a fault. Its name is derived from its content. The same fault found again, after a crash or in another process,
 * therefore has the same name. Events of objects without a namespace are in `default`.
 */
export async function recordWarning(
  { client, clock, reporter }: Recording,
  regarding: Regarding,
  warning: Warning,
): Promise<void> {
  const { uid, name = '' } = regarding.metadata;
  const occurrence = {
    name: eventName(name, [reporter, uid, warning.reason, warning.note]),
    time: microTimeText(instantOf(new Date(clock.now()))),
    controller: reporter,
  };
  const event = newEvent(occurrence, regarding, { type: 'Warning', ...warning });
  await client.create(EVENTSV1_EVENTS, event).catch(ignoreExpected);
}

/** Ignores that the event exists, or that its namespace is being deleted. */
const ignoreExpected = ignore('AlreadyExists', 'Forbidden', 'NotFound');
