import { type Command, Option } from 'commander';
import { AUDIT_DEFAULTS, type AuditFlags, auditOf as read } from '#lib/server/options/audit.ts';
import { namedFiles } from '../named-file.ts';

/** Adds the flags to the command. */
export function auditFlags(command: Command): Command {
  const defaults = AUDIT_DEFAULTS;
  command
    .option('--audit-policy-file <path>', 'an audit Policy: which requests to record, at which level')
    .option('--audit-log-path <path>', 'the file for events; - is the standard output')
    .option('--audit-log-maxage <days>', 'days to keep old files; 0 keeps all', defaults.auditLogMaxage)
    .option('--audit-log-maxbackup <number>', 'number of old files to keep; 0 keeps all', defaults.auditLogMaxbackup)
    .option('--audit-log-maxsize <megabytes>', 'maximum size of a file; 0 is unlimited', defaults.auditLogMaxsize)
    .option('--audit-log-format <format>', 'json or legacy', defaults.auditLogFormat)
    .addOption(bool('--audit-log-compress', 'compress old files'))
    .option('--audit-webhook-config-file <path>', 'a kubeconfig of the webhook that receives events')
    .option(
      '--audit-webhook-initial-backoff <duration>',
      'delay before the first retry',
      defaults.auditWebhookInitialBackoff,
    );
  for (const sink of ['log', 'webhook']) sinkFlags(command, sink);
  return command;
}

function sinkFlags(command: Command, sink: string): void {
  command
    .option(`--audit-${sink}-mode <mode>`, 'batch, blocking or blocking-strict')
    .option(`--audit-${sink}-batch-buffer-size <number>`, 'maximum number of waiting events; more are dropped')
    .option(`--audit-${sink}-batch-max-size <number>`, 'maximum number of events in a batch')
    .option(`--audit-${sink}-batch-max-wait <duration>`, 'maximum delay before a batch is sent')
    .addOption(bool(`--audit-${sink}-batch-throttle-enable`, 'limit the rate of batches'))
    .option(`--audit-${sink}-batch-throttle-qps <number>`, 'average number of batches in a second')
    .option(`--audit-${sink}-batch-throttle-burst <number>`, 'maximum number of batches at once')
    .addOption(bool(`--audit-${sink}-truncate-enabled`, 'truncate large events and split large batches'))
    .option(`--audit-${sink}-truncate-max-batch-size <bytes>`, 'maximum size of a batch; larger ones are split')
    .option(`--audit-${sink}-truncate-max-event-size <bytes>`, 'maximum size of an event; larger ones are truncated')
    .option(`--audit-${sink}-version <version>`, 'API version of the events', AUDIT_DEFAULTS.auditLogVersion);
}

/** Go's boolean flags, which are true without a value. */
const bool = (flag: string, text: string): Option => new Option(`${flag} [bool]`, text).preset('true');

/** Reads the flags. Without a policy, no request is audited. Rejects with an OptionError. */
export const auditOf = async (flags: AuditFlags): Promise<ReturnType<typeof read>> => read(flags, namedFiles);
