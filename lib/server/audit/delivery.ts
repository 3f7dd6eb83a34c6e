import type { Clock } from '#lib/machinery/clock.ts';
import { BufferedSink } from './buffered.ts';
import type { DeliveryOptions } from './options.ts';
import { type AuditSink, ignoringLoss, type ReportLoss } from './sink.ts';
import { truncateSink } from './truncate.ts';

/** Wraps the sink according to its options: asynchronous or before the response, complete or truncated. */
export function deliverySink(
  sink: AuditSink,
  { mode, batch, truncate }: DeliveryOptions,
  ports: { readonly clock: Clock; readonly reportLoss: ReportLoss },
): AuditSink {
  const moded =
    mode === 'batch'
      ? new BufferedSink(batch, { delegate: sink, ...ports })
      : mode === 'blocking'
        ? ignoringLoss(sink)
        : sink;
  return truncate === undefined ? moded : truncateSink(truncate, moded, ports.reportLoss);
}
