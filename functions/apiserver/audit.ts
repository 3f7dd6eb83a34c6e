import type { Clock } from '#lib/machinery/clock.ts';
import type { LineWriter } from '#lib/server/audit/log.ts';
import type { AuditWebhookPorts } from '#lib/server/audit/webhook.ts';
import type { AuditPorts } from '#lib/server/endpoints/audit/audit-ports.ts';
import type { AuditOptions } from '#lib/server/options/audit.ts';
import { auditPortsOf } from '#lib/server/options/audit-ports.ts';

/** The sinks of audit events. */
export interface AuditTo {
  /** Receives the lines of the log. */
  readonly writer: LineWriter;
  readonly transport: AuditWebhookPorts['transport'];
  readonly clock: Clock;
  reportFault(auditId: string, error: unknown): void;
}

/**
 * Audits as the options configure. Each event is written before its response ends, because the platform may freeze the process after the
 * response.
 */
export const auditPorts = (options: AuditOptions, { writer, transport, clock, reportFault }: AuditTo) =>
  auditPortsOf(options, {
    transport,
    clock,
    signal: new AbortController().signal,
    writerOf: () => writer,
    flushes: true,
    reportFault: (error) => reportFault('', error),
  }) satisfies AuditPorts | undefined;
