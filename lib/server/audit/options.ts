import type { BatchOptions } from './buffered.ts';
import { LOG_FORMATS, type LogFormat } from './log.ts';
import type { TruncateOptions } from './truncate.ts';

/** How a sink receives its events. */
export const MODES = ['batch', 'blocking', 'blocking-strict'] as const;
/** One of the modes. */
export type Mode = (typeof MODES)[number];

/** The options of both sinks. */
export interface DeliveryOptions {
  readonly mode: Mode;
  /** The limits of the mode `batch`. */
  readonly batch: BatchOptions;
  /** Absent if events are not truncated. */
  readonly truncate?: TruncateOptions;
}

/** The options of the audit log. */
export interface AuditLogOptions extends DeliveryOptions {
  /** The file. `-` means the standard output. */
  readonly path: string;
  /** The maximum age in days. */
  readonly maxAge: number;
  readonly maxBackups: number;
  /** The maximum size in megabytes. */
  readonly maxSize: number;
  readonly compress: boolean;
  readonly format: LogFormat;
}

const QUEUE = 10_000;

/** Upstream's limits for the log: each event separately, in order. */
export const LOG_BATCH: BatchOptions = { bufferSize: QUEUE, maxBatchSize: 1, maxBatchWait: 0, overlaps: false };

/** Upstream's limits for the webhook. */
export const WEBHOOK_BATCH: BatchOptions = {
  bufferSize: QUEUE,
  maxBatchSize: 400,
  maxBatchWait: 30_000,
  throttle: { qps: 10, burst: 15 },
  overlaps: true,
};

/** Upstream's limits on events and batches, in bytes. */
export const TRUNCATE: TruncateOptions = { maxEventSize: 100 * 1024, maxBatchSize: 10 * 1024 * 1024 };

/** Returns why a sink's options are invalid, with upstream's texts. */
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

/** Returns why the log's options are invalid, with upstream's texts. */
export function logFaults({ maxAge, maxBackups, maxSize, ...delivery }: AuditLogOptions): string[] {
  const limits = { maxage: maxAge, maxbackup: maxBackups, maxsize: maxSize };
  const faults = Object.entries(limits)
    .filter(([, value]) => value < 0)
    .map(([flag, value]) => `--audit-log-${flag} ${value} can't be a negative number`);
  return [...deliveryFaults('log', delivery), ...faults];
}

/** Returns the mode with that name. Throws TypeError with upstream's text if it is not allowed. */
export function modeOf(sink: string, text: string): Mode {
  const mode = MODES.find((known) => known === text);
  if (mode !== undefined) return mode;
  throw new TypeError(`invalid audit ${sink} mode ${text}, allowed modes are "${MODES.join(',')}"`);
}

/** Returns the format with that name. Throws TypeError with upstream's text. */
export function formatOf(text: string): LogFormat {
  const format = LOG_FORMATS.find((known) => known === text);
  if (format !== undefined) return format;
  throw new TypeError(`invalid audit log format ${text}, allowed formats are "${LOG_FORMATS.join(',')}"`);
}
