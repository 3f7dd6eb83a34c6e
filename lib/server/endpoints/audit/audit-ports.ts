import type { PolicyRuleEvaluator } from '#lib/server/audit/evaluate.ts';
import type { AuditMetrics } from '#lib/server/audit/metrics.ts';
import type { AuditSink } from '#lib/server/audit/sink.ts';

/** The policy, sink and metrics of auditing. */
export interface AuditPorts {
  readonly policy: PolicyRuleEvaluator;
  readonly sink: AuditSink;
  readonly metrics: AuditMetrics;
  /** Where the process may not live on: no answer ends before its events are out. */
  readonly flushes: boolean;
}
