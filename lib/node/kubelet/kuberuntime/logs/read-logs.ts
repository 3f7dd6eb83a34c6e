import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import { LineReader } from './line-reader.ts';
import type { LogFile, LogFiles } from './log-files.ts';
import { type LogLine, parseLogLine } from './log-line.ts';
import { tailStart } from './tail.ts';

/** Milliseconds after which a log is looked at, changed or not. */
const CHECK_PERIOD = 1000;
/** Bytes of a line that is none of a log which are told. */
const SHOWN = 1024;

/** The part of a log that is shown (v1.PodLogOptions). */
export interface LogOptions {
  /** Lines from the end; absent for all. */
  readonly tailLines?: number;
  /** Bytes at most; absent for all. */
  readonly limitBytes?: number;
  /** Milliseconds since 1970: earlier lines are left out. */
  readonly since?: number;
  /** Whether to wait for more until the container ends. */
  readonly follow: boolean;
  readonly timestamps: boolean;
  /** Absent for both. */
  readonly stream?: 'stdout' | 'stderr';
}

/** The ports of reading logs. */
export interface LogPorts {
  readonly files: LogFiles;
  /** Whether the container runs; a runtime that is away leaves it running. Rejects where there is no such container. */
  isRunning(): Promise<boolean>;
}

/**
 * The bytes of a container's log (upstream: logs.ReadLogs), through rotations where it follows. Throws Error with upstream's text. Ends
 * when the signal aborts.
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

/** The lines of a log; of one that is not followed also a last one without its end. */
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
        // Everything that was written before the rotation has been read.
        const next = await files.open(path).catch(() => undefined);
        isReplaced = false;
        if (next === undefined) continue; // the path holds no log: the next look tries again
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

/** Turns lines into what a client sees, up to the limit. */
class LogWriter {
  readonly #options: LogOptions;
  #remain: number;
  #isNewLine = true;
  /** Whether no line of a log was seen yet. */
  isEmpty = true;

  constructor(options: LogOptions) {
    this.#options = options;
    this.#remain = options.limitBytes ?? Number.POSITIVE_INFINITY;
  }

  /** Whether nothing more is shown. */
  get isFull(): boolean {
    return this.#remain <= 0;
  }

  /** The line as it is shown; empty where it is left out. */
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
