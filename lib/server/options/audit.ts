import { parseDuration } from '#lib/machinery/duration.ts';
import {
  type AuditLogOptions,
  type DeliveryOptions,
  deliveryFaults,
  formatOf,
  LOG_BATCH,
  logFaults,
  modeOf,
  TRUNCATE,
  WEBHOOK_BATCH,
} from '#lib/server/audit/options.ts';
import { parsePolicy } from '#lib/server/audit/parse-policy.ts';
import type { Policy } from '#lib/server/audit/policy.ts';
import type { AuditWebhook } from '#lib/server/audit/webhook.ts';
import { type Files, lineOf, OptionError } from './files.ts';
import { webhookIn } from './webhook-kubeconfig.ts';

type SinkFlag =
  | 'Mode'
  | `Batch${'BufferSize' | 'MaxSize' | 'MaxWait' | 'ThrottleEnable' | 'ThrottleQps' | 'ThrottleBurst'}`
  | `Truncate${'Enabled' | 'MaxBatchSize' | 'MaxEventSize'}`
  | 'Version';
type SinkFlags = { readonly [Flag in `audit${'Log' | 'Webhook'}${SinkFlag}`]?: string };

/** Upstream's audit log flags, with upstream's names. */
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

/** Upstream's defaults for these flags. */
export const AUDIT_DEFAULTS = {
  auditLogMaxage: '366',
  auditLogMaxbackup: '100',
  auditLogMaxsize: '100',
  auditLogFormat: 'json',
  auditLogVersion: 'audit.k8s.io/v1',
  auditWebhookInitialBackoff: '10s',
  auditWebhookVersion: 'audit.k8s.io/v1',
} as const;

/** The audit policy and its sinks. */
export interface AuditOptions {
  readonly policy: Policy;
  readonly log?: AuditLogOptions;
  readonly webhook?: AuditWebhook & DeliveryOptions;
}

const VERSION = 'audit.k8s.io/v1';

/** Reads the flags. Without a policy, requests are not audited. Throws OptionError. */
export function auditOf(flags: AuditFlags, files: Files): { readonly audit?: AuditOptions } {
  try {
    const log = flags.auditLogPath === undefined ? undefined : logOf(flags, flags.auditLogPath);
    const webhook = webhookSinkOf(flags, files);
    const path = flags.auditPolicyFile;
    if (path === undefined) return {};
    const policy = policyOf(path, files);
    return { audit: { policy, ...(log && { log }), ...(webhook && { webhook }) } };
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw new OptionError(error.message);
    throw error;
  }
}

function policyOf(path: string, files: Files): Policy {
  const text = files.read(path);
  try {
    return parsePolicy(text);
  } catch (error) {
    throw new OptionError(`loading audit policy file: ${lineOf(error)}: from file ${path}`, { cause: error });
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

function webhookSinkOf(flags: AuditFlags, files: Files): AuditOptions['webhook'] {
  const path = flags.auditWebhookConfigFile;
  if (path === undefined) return undefined;
  const delivery = deliveryOf(flags, 'Webhook');
  refuse(deliveryFaults('webhook', delivery));
  try {
    return {
      config: webhookIn(files, path),
      initialBackoff: milliseconds(flags.auditWebhookInitialBackoff),
      ...delivery,
    };
  } catch (error) {
    throw new OptionError(`initializing audit webhook: ${lineOf(error)}`, { cause: error });
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
  if (faults.length > 0) throw new OptionError(faults.join('; '));
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
    throw new OptionError(`${JSON.stringify(text)} is no duration`, { cause: error });
  }
}
