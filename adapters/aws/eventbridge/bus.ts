import { type EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import type { Clock } from '#lib/machinery/clock.ts';
import { detailTypeOf, SOURCE } from '#lib/stream/event.ts';
import { eventGroup } from '#lib/stream/event-consumer.ts';
import type { ChangeEvent } from '#lib/stream/event-schema.ts';
import { type Answer, type BatchChannel, sendInOrder } from '#lib/stream/send-in-order.ts';
import { serviceFault } from '#lib/stream/service-fault.ts';
import type { Sink } from '#lib/stream/sink.ts';

/** Maximum number of entries and bytes in one PutEvents request. */
const MAX_ENTRIES = 10;
const MAX_BYTES = 256 * 1024;

/** Error codes of entries that may succeed on a retry. */
const PASSING = new Set(['ThrottlingException', 'InternalFailure', 'InternalException', 'ServiceUnavailable']);

/** Sends events to an EventBridge bus. The caller owns the client and closes it. */
export function eventBus(client: EventBridgeClient, bus: string, clock: Clock): Sink<ChangeEvent> {
  const channel: BatchChannel<ChangeEvent> = {
    maxEntries: MAX_ENTRIES,
    maxBytes: MAX_BYTES,
    bytes: (event) => sizeOf(entryOf(event, bus)),
    group: eventGroup,
    request: (batch) =>
      put(
        client,
        batch.map((event) => entryOf(event, bus)),
      ),
  };
  return { send: (events) => sendInOrder(events, channel, clock) };
}

const entryOf = (event: ChangeEvent, bus: string) => ({
  EventBusName: bus,
  Source: SOURCE,
  DetailType: detailTypeOf(event),
  Detail: JSON.stringify(event),
});

/** Counts bytes in the same way as the service. A Time field would add 14 bytes. */
const sizeOf = ({ Source, DetailType, Detail }: ReturnType<typeof entryOf>): number =>
  Buffer.byteLength(Source) + Buffer.byteLength(DetailType) + Buffer.byteLength(Detail);

async function put(client: EventBridgeClient, entries: PutEventsRequestEntry[]) {
  try {
    const { Entries: answers = [] } = await client.send(new PutEventsCommand({ Entries: entries }));
    return answers.map(({ ErrorCode: code, ErrorMessage: message }): Answer => {
      if (code === undefined) return 'taken';
      return PASSING.has(code) ? { again: code } : { refused: `${code}: ${message ?? ''}` };
    });
  } catch (error) {
    const fault = serviceFault('the event bus', error);
    if ('malformed' in fault) return fault;
    throw fault;
  }
}
