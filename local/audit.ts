import { RotatingFile } from '#adapters/audit-log/rotating-file.ts';
import { deliverySink } from '#lib/audit/delivery.ts';
import { policyRuleEvaluator } from '#lib/audit/evaluate.ts';
import { AuditMetrics } from '#lib/audit/metrics.ts';
import { logSink, type LineWriter } from '#lib/audit/log.ts';
import type { AuditLogOptions } from '#lib/audit/options.ts';
import { unionSink, type AuditSink, type ReportLoss } from '#lib/audit/sink.ts';
import { webhookSink, type AuditWebhookPorts } from '#lib/audit/webhook.ts';
import type { AuditPorts } from '#lib/endpoints/audit/audit-ports.ts';
import type { AuditOptions } from '#lib/options/audit.ts';
import { messageOf, StartFault } from './start-fault.ts';

/** The ports of auditing. */
export interface LocalAuditPorts extends Pick<AuditWebhookPorts, 'transport' | 'clock' | 'signal'> {
  reportFault(error: unknown): void;
}

/** The policy and its sinks; undefined where there is none to write to. Throws StartFault where the log cannot be written. */
export function auditPorts(options: AuditOptions | undefined, ports: LocalAuditPorts): AuditPorts | undefined {
  if (options === undefined) return undefined;
  const { policy, log, webhook } = options;
  const metrics = new AuditMetrics();
  const reportLoss: ReportLoss = (sink, error, { length }) => {
    metrics.lost(sink, length);
    ports.reportFault(new Error(`audit plugin "${sink}" lost ${length} events: ${messageOf(error)}`, { cause: error }));
  };
  const sinks: AuditSink[] = [];
  const deliver = { clock: ports.clock, reportLoss };
  if (log !== undefined) {
    sinks.push(deliverySink(logSink({ writer: writerOf(log, ports), format: log.format, reportLoss }), log, deliver));
  }
  if (webhook !== undefined) sinks.push(deliverySink(webhookSink(webhook, { ...ports, reportLoss }), webhook, deliver));
  if (sinks.length === 0) return undefined;
  return { policy: policyRuleEvaluator(policy), sink: unionSink(sinks), metrics, flushes: false };
}

function writerOf(log: AuditLogOptions, { clock, reportFault }: LocalAuditPorts): LineWriter {
  if (log.path === '-') return { write: (line) => void process.stdout.write(line), close: () => {} };
  try {
    return new RotatingFile({ ...log, clock, reportFault });
  } catch (error) {
    throw new StartFault(`--audit-log-path: ${messageOf(error)}`, { cause: error });
  }
}
