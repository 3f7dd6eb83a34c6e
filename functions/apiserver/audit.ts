import { deliverySink } from '#lib/audit/delivery.ts';
import { policyRuleEvaluator } from '#lib/audit/evaluate.ts';
import { logSink, type LineWriter } from '#lib/audit/log.ts';
import { AuditMetrics } from '#lib/audit/metrics.ts';
import { LOG_BATCH, TRUNCATE } from '#lib/audit/options.ts';
import { parsePolicy } from '#lib/audit/parse-policy.ts';
import type { ReportLoss } from '#lib/audit/sink.ts';
import type { AuditPorts } from '#lib/endpoints/audit/audit-ports.ts';
import type { Clock } from '#lib/machinery/clock.ts';

export interface AuditTo {
  readonly writer: LineWriter;
  readonly clock: Clock;
  reportFault(auditId: string, error: unknown): void;
}

/**
 * What the policy asks for, a line an event, each out before its answer ends: the process may be frozen behind it. Throws
 * TypeError where the policy is wrong.
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
