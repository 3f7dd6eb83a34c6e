import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Option, type Command } from 'commander';
import {
  deliveryFaults,
  formatOf,
  LOG_BATCH,
  logFaults,
  modeOf,
  TRUNCATE,
  WEBHOOK_BATCH,
  type DeliveryOptions,
} from '#lib/audit/options.ts';
import { parsePolicy } from '#lib/audit/parse-policy.ts';
import { parseDuration } from '#lib/machinery/duration.ts';
import type { AuditOptions } from '../audit.ts';
import type { StartOptions } from '../start-options.ts';
import { messageOf, StartFault } from '../start-fault.ts';
import { webhookOf } from '../webhook-kubeconfig.ts';

type SinkFlag =
  | 'Mode'
  | `Batch${'BufferSize' | 'MaxSize' | 'MaxWait' | 'ThrottleEnable' | 'ThrottleQps' | 'ThrottleBurst'}`
  | `Truncate${'Enabled' | 'MaxBatchSize' | 'MaxEventSize'}`
  | 'Version';
type SinkFlags = { readonly [Flag in `audit${'Log' | 'Webhook'}${SinkFlag}`]?: string };

/** Upstream's flags of the audit log, under their names. */
export interface AuditFlags extends SinkFlags {
  readonly auditPolicyFile?: string;
  readonly auditLogPath?: string;
  readonly auditLogMaxage: string;
  readonly auditLogMaxbackup: string;
  readonly auditLogMaxsize: string;
  readonly auditLogFormat: string;
  readonly auditLogCompress?: string;
  readonly auditWebhookConfigFile?: string;
  readonly auditWebhookInitialBackoff: string;
}

const VERSION = 'audit.k8s.io/v1';

/** Adds the flags to the command. */
export function auditFlags(command: Command): Command {
  command
    .option('--audit-policy-file <path>', 'an audit Policy: which requests to record, at which level')
    .option('--audit-log-path <path>', 'the file for events; - is the standard output')
    .option('--audit-log-maxage <days>', 'days to keep old files; 0 keeps all', '366')
    .option('--audit-log-maxbackup <number>', 'number of old files to keep; 0 keeps all', '100')
    .option('--audit-log-maxsize <megabytes>', 'maximum size of a file; 0 is unlimited', '100')
    .option('--audit-log-format <format>', 'json or legacy', 'json')
    .addOption(bool('--audit-log-compress', 'compress old files'))
    .option('--audit-webhook-config-file <path>', 'a kubeconfig of the webhook that receives events')
    .option('--audit-webhook-initial-backoff <duration>', 'delay before the first retry', '10s');
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
    .option(`--audit-${sink}-version <version>`, 'API version of the events', VERSION);
}

/** Go's boolean flags: named alone they are true. */
const bool = (flag: string, text: string): Option => new Option(`${flag} [bool]`, text).preset('true');

/** Reads the flags; without a policy nothing is audited. Throws StartFault. */
export async function auditOf(flags: AuditFlags): Promise<Pick<StartOptions, 'audit'>> {
  try {
    const log = flags.auditLogPath === undefined ? undefined : logOf(flags, flags.auditLogPath);
    const webhook = await webhookSinkOf(flags);
    const path = flags.auditPolicyFile;
    if (path === undefined) return {};
    const policy = await policyOf(path);
    return { audit: { policy, ...(log && { log }), ...(webhook && { webhook }) } };
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw new StartFault(error.message);
    throw error;
  }
}

async function policyOf(path: string) {
  const text = await read(path);
  try {
    return parsePolicy(text);
  } catch (error) {
    throw new StartFault(`loading audit policy file: ${messageOf(error)}: from file ${path}`, { cause: error });
  }
}

function logOf(flags: AuditFlags, path: string): NonNullable<AuditOptions['log']> {
  const log = {
    path,
    maxAge: number(flags.auditLogMaxage),
    maxBackups: number(flags.auditLogMaxbackup),
    maxSize: number(flags.auditLogMaxsize),
    compress: isTrue(flags.auditLogCompress),
    format: formatOf(flags.auditLogFormat),
    ...deliveryOf(flags, 'Log'),
  };
  refuse(logFaults(log));
  return log;
}

async function webhookSinkOf(flags: AuditFlags): Promise<AuditOptions['webhook']> {
  const path = flags.auditWebhookConfigFile;
  if (path === undefined) return undefined;
  const delivery = deliveryOf(flags, 'Webhook');
  refuse(deliveryFaults('webhook', delivery));
  const text = await read(path);
  try {
    return {
      config: webhookOf(text, dirname(path)),
      initialBackoff: milliseconds(flags.auditWebhookInitialBackoff),
      ...delivery,
    };
  } catch (error) {
    throw new StartFault(`initializing audit webhook: ${path}: ${messageOf(error)}`, { cause: error });
  }
}

function deliveryOf(flags: AuditFlags, sink: 'Log' | 'Webhook'): DeliveryOptions {
  const given = (name: SinkFlag): string | undefined => flags[`audit${sink}${name}`];
  const name = sink.toLowerCase();
  const defaults = sink === 'Log' ? LOG_BATCH : WEBHOOK_BATCH;
  if (given('Version') !== VERSION) throw new TypeError(`invalid group version, allowed versions are ["${VERSION}"]`);
  const or = (text: string | undefined, standard: number): number => (text === undefined ? standard : number(text));
  const throttled = given('BatchThrottleEnable') ?? String(defaults.throttle !== undefined);
  const { qps, burst } = WEBHOOK_BATCH.throttle ?? { qps: 0, burst: 0 };
  const throttle = { qps: or(given('BatchThrottleQps'), qps), burst: or(given('BatchThrottleBurst'), burst) };
  const wait = given('BatchMaxWait');
  return {
    mode: modeOf(name, given('Mode') ?? (sink === 'Log' ? 'blocking' : 'batch')),
    batch: {
      bufferSize: or(given('BatchBufferSize'), defaults.bufferSize),
      maxBatchSize: or(given('BatchMaxSize'), defaults.maxBatchSize),
      maxBatchWait: wait === undefined ? defaults.maxBatchWait : milliseconds(wait),
      overlaps: defaults.overlaps,
      ...(isTrue(throttled) ? { throttle } : {}),
    },
    ...(isTrue(given('TruncateEnabled'))
      ? {
          truncate: {
            maxEventSize: or(given('TruncateMaxEventSize'), TRUNCATE.maxEventSize),
            maxBatchSize: or(given('TruncateMaxBatchSize'), TRUNCATE.maxBatchSize),
          },
        }
      : {}),
  };
}

function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new StartFault(faults.join('; '));
}

function number(text: string): number {
  if (text.trim() === '' || Number.isNaN(Number(text))) throw new TypeError(`${JSON.stringify(text)} is no number`);
  return Number(text);
}

function isTrue(text = 'false'): boolean {
  if (text !== 'true' && text !== 'false') throw new TypeError(`${JSON.stringify(text)} is neither true nor false`);
  return text === 'true';
}

function milliseconds(text: string): number {
  try {
    return Number(parseDuration(text) / 1_000_000n);
  } catch (error) {
    throw new StartFault(`${JSON.stringify(text)} is no duration`, { cause: error });
  }
}

function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw new StartFault(`${path}: ${messageOf(error)}`, { cause: error });
  });
}
