import type { PolicyRuleEvaluator } from '#lib/server/audit/evaluate.ts';
import type { AuditMetrics } from '#lib/server/audit/metrics.ts';
import type { AuditSink } from '#lib/server/audit/sink.ts';

/** The policy, sink and metrics of auditing. */
export interface AuditPorts {
  readonly policy: PolicyRuleEvaluator;
  readonly sink: AuditSink;
  readonly metrics: AuditMetrics;
  /** True if the process may not survive the response. A response then ends only after its events are flushed. */
  readonly flushes: boolean;
}
