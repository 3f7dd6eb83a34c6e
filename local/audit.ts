import { RotatingFile } from '#adapters/server/audit-log/rotating-file.ts';
import type { LineWriter } from '#lib/server/audit/log.ts';
import type { AuditLogOptions } from '#lib/server/audit/options.ts';
import type { AuditPorts } from '#lib/server/endpoints/audit/audit-ports.ts';
import type { AuditOptions } from '#lib/server/options/audit.ts';
import { auditPortsOf, type SinkPorts } from '#lib/server/options/audit-ports.ts';
import { messageOf, StartFault } from './start-fault.ts';

/** The ports that audit logging needs. */
export type LocalAuditPorts = Omit<SinkPorts, 'writerOf' | 'flushes'>;

/** The audit policy and its sinks; undefined if no sink is configured. Throws StartFault if the log cannot be written. */
export const auditPorts = (options: AuditOptions | undefined, ports: LocalAuditPorts): AuditPorts | undefined =>
  options && auditPortsOf(options, { ...ports, writerOf: (log) => writerOf(log, ports), flushes: false });

function writerOf(log: AuditLogOptions, { clock, reportFault }: LocalAuditPorts): LineWriter {
  if (log.path === '-') return { write: (line) => void process.stdout.write(line), close: () => {} };
  try {
    return new RotatingFile({ ...log, clock, reportFault });
  } catch (error) {
    throw new StartFault(`--audit-log-path: ${messageOf(error)}`, { cause: error });
  }
}
