import type { Clock } from '#lib/machinery/clock.ts';
import { BufferedSink } from './buffered.ts';
import type { DeliveryOptions } from './options.ts';
import { type AuditSink, ignoringLoss, type ReportLoss } from './sink.ts';
import { truncateSink } from './truncate.ts';

/** The sink as its options want it to be given events: behind the answer's back or before it, whole or cut. */
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
