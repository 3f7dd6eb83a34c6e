import { type AuditEvent, encodeEvent, includes } from './event.ts';
import type { AuditSink, ReportLoss } from './sink.ts';

/** The limits on events and batches. */
export interface TruncateOptions {
  /** The size in bytes above which an event is sent without its bodies, or not at all. */
  readonly maxEventSize: number;
  /** The size in bytes above which a batch is split. */
  readonly maxBatchSize: number;
}

/** Limits the size of the events and batches that the delegate receives: upstream's truncate backend. */
export function truncateSink(options: TruncateOptions, delegate: AuditSink, reportLoss: ReportLoss): AuditSink {
  const { maxEventSize, maxBatchSize } = options;
  return {
    async process(events) {
      const sized = events.map((event) => fitted(event, maxEventSize));
      const lost = sized.filter(({ size }) => size > maxEventSize).map(({ event }) => event);
      if (lost.length > 0) reportLoss('truncate', new Error('event is too large even after truncating'), lost);
      let success = true;
      for (const batch of batches(
        sized.filter(({ size }) => size <= maxEventSize),
        maxBatchSize,
      ))
        success = (await delegate.process(batch)) && success;
      return success;
    },
    flush: () => delegate.flush(),
    close: () => delegate.close(),
  };
}

interface Sized {
  readonly event: AuditEvent;
  readonly size: number;
}

const sizeOf = (event: AuditEvent): number => Buffer.byteLength(encodeEvent(event));

function fitted(event: AuditEvent, max: number): Sized {
  const size = sizeOf(event);
  if (size <= max || !includes(event.level, 'Request')) return { event, size };
  const { requestObject: _request, responseObject: _response, ...rest } = event;
  const cut = { ...rest, annotations: new Map([...event.annotations, ['audit.k8s.io/truncated', 'true']]) };
  return { event: cut, size: sizeOf(cut) };
}

function* batches(events: readonly Sized[], max: number): Generator<AuditEvent[]> {
  let batch: AuditEvent[] = [];
  let total = 0;
  for (const { event, size } of events) {
    if (batch.length > 0 && total + size > max) {
      yield batch;
      batch = [];
      total = 0;
    }
    batch.push(event);
    total += size;
  }
  if (batch.length > 0) yield batch;
}
