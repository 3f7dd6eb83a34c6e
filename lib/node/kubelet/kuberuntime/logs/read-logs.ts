import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import { LineReader } from './line-reader.ts';
import type { LogFile, LogFiles } from './log-files.ts';
import { type LogLine, parseLogLine } from './log-line.ts';
import { tailStart } from './tail.ts';

/** Interval in ms after which a log is checked even without a change. */
const CHECK_PERIOD = 1000;
/** Maximum number of bytes of an invalid line in an error. */
const SHOWN = 1024;

/** The part of a log to return (v1.PodLogOptions). */
export interface LogOptions {
  /** Number of lines from the end, absent for all. */
  readonly tailLines?: number;
  /** Maximum number of bytes, absent for all. */
  readonly limitBytes?: number;
  /** Time in milliseconds since 1970. Earlier lines are skipped. */
  readonly since?: number;
  /** Whether to wait for more output until the container exits. */
  readonly follow: boolean;
  readonly timestamps: boolean;
  /** Absent for both streams. */
  readonly stream?: 'stdout' | 'stderr';
}

/** The ports of reading logs. */
export interface LogPorts {
  readonly files: LogFiles;
  /** Whether the container is running. Returns true while the runtime is unavailable. Rejects if the container does not exist. */
  isRunning(): Promise<boolean>;
}

/**
 * The bytes of a container's log (upstream: logs.ReadLogs). If it follows the log, it continues after rotations. Throws Error with
 * upstream's text. Ends when the signal aborts.
 */
export async function* readLogs(
  path: string,
  options: LogOptions,
  ports: LogPorts,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (options.tailLines === 0 && !options.follow) return;
  const written = new LogWriter(options);
  let left = options.follow ? Number.POSITIVE_INFINITY : (options.tailLines ?? Number.POSITIVE_INFINITY);
  for await (const line of linesOf(path, options, ports, signal)) {
    const parsed = parseLogLine(line);
    if (parsed === undefined) {
      if (written.isEmpty)
        throw new Error(
          `failed to get parse function: unsupported log format: ${quote(new TextDecoder().decode(line.subarray(0, SHOWN)))}`,
        );
      continue;
    }
    const bytes = written.shown(parsed);
    if (bytes.length > 0) yield bytes;
    if (written.isFull || --left <= 0) return;
  }
}

/** The lines of a log. Without follow, the last line may lack a newline. */
async function* linesOf(
  path: string,
  { tailLines, follow }: LogOptions,
  { files, isRunning }: LogPorts,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let file = await files.open(path);
  try {
    let reader = new LineReader(file, tailLines === undefined ? 0 : await startOf(file, tailLines, path));
    using watch = follow ? files.watch(path) : undefined;
    for (let isLast = !follow, isReplaced = false; !signal.aborted; ) {
      for (let line = await reader.next(); line !== undefined; line = await reader.next()) yield line;
      if (isReplaced) {
        // Everything written before the rotation has been read.
        const next = await files.open(path).catch(() => undefined);
        isReplaced = false;
        if (next === undefined) continue; // the path has no log: the next check retries
        await file[Symbol.asyncDispose]();
        file = next;
        reader = new LineReader(file, 0);
      } else if (isLast || watch === undefined) {
        if (!follow && reader.rest.length > 0) yield reader.rest;
        return;
      } else if (!(await isRunning())) isLast = true;
      else {
        await watch.next(CHECK_PERIOD, signal);
        const now = await files.identity(path);
        isReplaced = now !== undefined && now !== file.identity;
      }
    }
  } finally {
    await file[Symbol.asyncDispose]();
  }
}

async function startOf(file: LogFile, lines: number, path: string): Promise<number> {
  try {
    return await tailStart(file, lines);
  } catch (error) {
    throw new Error(`failed to tail ${lines} lines of log file ${quote(path)}: ${messageOfError(error)}`, {
      cause: error,
    });
  }
}

/** Formats lines for a client, up to the limit. */
class LogWriter {
  readonly #options: LogOptions;
  #remain: number;
  #isNewLine = true;
  /** Whether no line of a log has been seen yet. */
  isEmpty = true;

  constructor(options: LogOptions) {
    this.#options = options;
    this.#remain = options.limitBytes ?? Number.POSITIVE_INFINITY;
  }

  /** Whether the limit has been reached. */
  get isFull(): boolean {
    return this.#remain <= 0;
  }

  /** The line as a client sees it. Empty if it is skipped. */
  shown(line: LogLine): Uint8Array {
    this.isEmpty = false;
    const bytes = this.#written(line);
    this.#isNewLine = line.content.length === 0 || line.content.at(-1) === 0x0a;
    return bytes;
  }

  #written({ time, stream, timestamp, content }: LogLine): Uint8Array {
    const { since, timestamps, stream: wanted = stream } = this.#options;
    if ((since !== undefined && time < since) || stream !== wanted) return new Uint8Array();
    const prefix = timestamps && this.#isNewLine ? new TextEncoder().encode(`${timestamp} `) : new Uint8Array();
    const length = Math.min(prefix.length + content.length, this.#remain);
    const bytes = new Uint8Array(length);
    bytes.set(prefix.subarray(0, length));
    bytes.set(content.subarray(0, length - Math.min(prefix.length, length)), Math.min(prefix.length, length));
    this.#remain -= length;
    return bytes;
  }
}
