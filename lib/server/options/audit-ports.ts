import { deliverySink } from '#lib/server/audit/delivery.ts';
import { policyRuleEvaluator } from '#lib/server/audit/evaluate.ts';
import { type LineWriter, logSink } from '#lib/server/audit/log.ts';
import { AuditMetrics } from '#lib/server/audit/metrics.ts';
import type { AuditLogOptions } from '#lib/server/audit/options.ts';
import { type AuditSink, type ReportLoss, unionSink } from '#lib/server/audit/sink.ts';
import { type AuditWebhookPorts, webhookSink } from '#lib/server/audit/webhook.ts';
import type { AuditPorts } from '#lib/server/endpoints/audit/audit-ports.ts';
import type { AuditOptions } from './audit.ts';
import { lineOf } from './files.ts';

/** The ports that event sinks need. */
export interface SinkPorts extends Pick<AuditWebhookPorts, 'transport' | 'clock' | 'signal'> {
  /** Opens the log. */
  writerOf(log: AuditLogOptions): LineWriter;
  /** See AuditPorts. */
  readonly flushes: boolean;
  reportFault(error: unknown): void;
}

/** The policy and its sinks. Undefined if there are no sinks. Throws like `writerOf`. */
export function auditPortsOf({ policy, log, webhook }: AuditOptions, ports: SinkPorts): AuditPorts | undefined {
  const metrics = new AuditMetrics();
  const reportLoss: ReportLoss = (sink, error, { length }) => {
    metrics.lost(sink, length);
    ports.reportFault(new Error(`audit plugin "${sink}" lost ${length} events: ${lineOf(error)}`, { cause: error }));
  };
  const sinks: AuditSink[] = [];
  const deliver = { clock: ports.clock, reportLoss };
  if (log !== undefined) {
    const { format } = log;
    sinks.push(deliverySink(logSink({ writer: ports.writerOf(log), format, reportLoss }), log, deliver));
  }
  if (webhook !== undefined) sinks.push(deliverySink(webhookSink(webhook, { ...ports, reportLoss }), webhook, deliver));
  if (sinks.length === 0) return undefined;
  return { policy: policyRuleEvaluator(policy), sink: unionSink(sinks), metrics, flushes: ports.flushes };
}
