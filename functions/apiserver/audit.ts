import { deliverySink } from '#lib/audit/delivery.ts';
import { policyRuleEvaluator } from '#lib/audit/evaluate.ts';
import { logSink, type LineWriter } from '#lib/audit/log.ts';
import { AuditMetrics } from '#lib/audit/metrics.ts';
import { LOG_BATCH, TRUNCATE } from '#lib/audit/options.ts';
import { parsePolicy } from '#lib/audit/parse-policy.ts';
import type { ReportLoss } from '#lib/audit/sink.ts';
import type { AuditPorts } from '#lib/endpoints/audit/audit-ports.ts';
import type { Clock } from '#lib/machinery/clock.ts';

/** The writer of the audit log. */
export interface AuditTo {
  readonly writer: LineWriter;
  readonly clock: Clock;
  reportFault(auditId: string, error: unknown): void;
}

/**
 * Audits as the policy says, one line an event. Each event is written before its answer ends: the process may be frozen
 * afterwards. Throws TypeError for an invalid policy.
 */
export function auditPorts(policy: string, { writer, clock, reportFault }: AuditTo): AuditPorts {
  const metrics = new AuditMetrics();
  const reportLoss: ReportLoss = (sink, error, { length }) => {
    metrics.lost(sink, length);
    reportFault('', new Error(`audit plugin "${sink}" lost ${length} events`, { cause: error }));
  };
  const delivery = { mode: 'blocking', batch: LOG_BATCH, truncate: TRUNCATE } as const;
  const sink = deliverySink(logSink({ writer, format: 'json', reportLoss }), delivery, { clock, reportLoss });
  return { policy: policyRuleEvaluator(parsePolicy(policy)), sink, metrics, flushes: true };
}
