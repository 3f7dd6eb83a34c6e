import type { Clock } from '#lib/machinery/clock.ts';
import { sendInOrder } from '#lib/stream/send-in-order.ts';
import type { Sink } from '#lib/stream/sink.ts';

/** The limits of one request to a bus or a queue. */
const MAX_ENTRIES = 10;
const MAX_BYTES = 256 * 1024;

/** A sink of a counted service. */
export interface CountedSink<T> {
  readonly clock: Clock;
  group(entry: T): string;
  /** Called with each accepted request. */
  onRequest(batch: readonly T[]): void;
}

/** A sink that accepts everything, split into the requests that the service's adapter would send. */
export const countedSink = <T>({ clock, group, onRequest }: CountedSink<T>): Sink<T> => ({
  send: (entries) =>
    sendInOrder(
      entries,
      {
        maxEntries: MAX_ENTRIES,
        maxBytes: MAX_BYTES,
        bytes: (entry) => Buffer.byteLength(JSON.stringify(entry)),
        group,
        request: async (batch) => {
          onRequest(batch);
          return batch.map(() => 'taken' as const);
        },
      },
      clock,
    ),
});
