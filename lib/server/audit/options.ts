import type { BatchOptions } from './buffered.ts';
import { LOG_FORMATS, type LogFormat } from './log.ts';
import type { TruncateOptions } from './truncate.ts';

/** How a sink is given its events. */
export const MODES = ['batch', 'blocking', 'blocking-strict'] as const;
/** One of the modes. */
export type Mode = (typeof MODES)[number];

/** The options of both sinks. */
export interface DeliveryOptions {
  readonly mode: Mode;
  /** Of the mode `batch`. */
  readonly batch: BatchOptions;
  /** Absent: events are as large as they are. */
  readonly truncate?: TruncateOptions;
}

/** The options of the audit log. */
export interface AuditLogOptions extends DeliveryOptions {
  /** `-` is the standard output. */
  readonly path: string;
  /** Days. */
  readonly maxAge: number;
  readonly maxBackups: number;
  /** Megabytes. */
  readonly maxSize: number;
  readonly compress: boolean;
  readonly format: LogFormat;
}

const QUEUE = 10_000;

/** Upstream's of the log: each event by itself, in its turn. */
export const LOG_BATCH: BatchOptions = { bufferSize: QUEUE, maxBatchSize: 1, maxBatchWait: 0, overlaps: false };

/** Upstream's of the webhook. */
export const WEBHOOK_BATCH: BatchOptions = {
  bufferSize: QUEUE,
  maxBatchSize: 400,
  maxBatchWait: 30_000,
  throttle: { qps: 10, burst: 15 },
  overlaps: true,
};

/** Upstream's bounds of events and batches, in bytes. */
export const TRUNCATE: TruncateOptions = { maxEventSize: 100 * 1024, maxBatchSize: 10 * 1024 * 1024 };

/** Why a sink cannot be told so, in upstream's words. */
export function deliveryFaults(name: string, { mode, batch, truncate }: DeliveryOptions): string[] {
  const { bufferSize, maxBatchSize, throttle } = batch;
  const faults: string[] = [];
  const positive = (what: string, value: number): void => {
    if (!(value > 0)) faults.push(`invalid audit batch ${name} ${what} ${value}, must be a positive number`);
  };
  if (mode === 'batch') {
    positive('buffer size', bufferSize);
    positive('max batch size', maxBatchSize);
    if (throttle !== undefined) {
      positive('throttle QPS', throttle.qps);
      positive('throttle burst', throttle.burst);
    }
  }
  return [...faults, ...(truncate === undefined ? [] : truncateFaults(name, truncate))];
}

function truncateFaults(name: string, { maxEventSize, maxBatchSize }: TruncateOptions): string[] {
  if (!(maxEventSize > 0))
    return [`invalid audit truncate ${name} max event size ${maxEventSize}, must be a positive number`];
  if (maxBatchSize >= maxEventSize) return [];
  return [
    `invalid audit truncate ${name} max batch size ${maxBatchSize}, must be greater than max event size (${maxEventSize})`,
  ];
}

/** Why the log cannot be kept so, in upstream's words. */
export function logFaults({ maxAge, maxBackups, maxSize, ...delivery }: AuditLogOptions): string[] {
  const limits = { maxage: maxAge, maxbackup: maxBackups, maxsize: maxSize };
  const faults = Object.entries(limits)
    .filter(([, value]) => value < 0)
    .map(([flag, value]) => `--audit-log-${flag} ${value} can't be a negative number`);
  return [...deliveryFaults('log', delivery), ...faults];
}

/** The name where it is one of the allowed; throws TypeError in upstream's words. */
export function modeOf(sink: string, text: string): Mode {
  const mode = MODES.find((known) => known === text);
  if (mode !== undefined) return mode;
  throw new TypeError(`invalid audit ${sink} mode ${text}, allowed modes are "${MODES.join(',')}"`);
}

/** The format of that name. Throws TypeError in upstream's words. */
export function formatOf(text: string): LogFormat {
  const format = LOG_FORMATS.find((known) => known === text);
  if (format !== undefined) return format;
  throw new TypeError(`invalid audit log format ${text}, allowed formats are "${LOG_FORMATS.join(',')}"`);
}
