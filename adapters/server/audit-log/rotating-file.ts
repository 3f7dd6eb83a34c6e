import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Clock } from '#lib/machinery/clock.ts';
import type { LineWriter } from '#lib/server/audit/log.ts';

/** The file and its limits. */
export interface RotatingFileOptions {
  readonly path: string;
  /** Maximum age of old files in days. 0 keeps them at any age. */
  readonly maxAge: number;
  /** Maximum number of old files. 0 keeps all. */
  readonly maxBackups: number;
  /** Size in megabytes at which the file is rotated. 0 disables rotation. */
  readonly maxSize: number;
  /** Whether old files are compressed. */
  readonly compress: boolean;
  readonly clock: Clock;
  reportFault(error: unknown): void;
}

const MEGABYTE = 1024 * 1024;
const DAY = 24 * 60 * 60 * 1000;
const OLD = /^-(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}\.\d{3})$/;

/** A file that is renamed with a timestamp when it is full, like upstream's lumberjack. The line is in the file when `write` returns. */
export class RotatingFile implements LineWriter {
  readonly #options: RotatingFileOptions;
  #file: number;
  #size: number;

  /** Throws if the file cannot be written. */
  constructor(options: RotatingFileOptions) {
    this.#options = options;
    mkdirSync(dirname(options.path), { recursive: true, mode: 0o700 });
    this.#file = openSync(options.path, 'a', 0o600);
    this.#size = fstatSync(this.#file).size;
  }

  write(line: string): void {
    const bytes = Buffer.from(line);
    const { maxSize } = this.#options;
    if (maxSize > 0 && this.#size > 0 && this.#size + bytes.length > maxSize * MEGABYTE) this.#rotate();
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    this.#size += bytes.length;
  }

  close(): void {
    closeSync(this.#file);
  }

  #rotate(): void {
    const { path, clock, compress, reportFault } = this.#options;
    const kept = join(
      dirname(path),
      `${this.#stem}-${freeStamp(clock.now(), (stamp) => this.#isTaken(stamp))}${extname(path)}`,
    );
    renameSync(path, kept);
    closeSync(this.#file);
    this.#file = openSync(path, 'a', 0o600);
    this.#size = 0;
    this.#removeOld();
    if (compress) compressed(kept).catch(reportFault);
  }

  get #stem(): string {
    return basename(this.#options.path, extname(this.#options.path));
  }

  #isTaken(stamp: string): boolean {
    const { path } = this.#options;
    const kept = join(dirname(path), `${this.#stem}-${stamp}${extname(path)}`);
    return existsSync(kept) || existsSync(`${kept}.gz`);
  }

  #removeOld(): void {
    const { path, maxAge, maxBackups, clock } = this.#options;
    const oldest = maxAge === 0 ? Number.NEGATIVE_INFINITY : clock.now() - maxAge * DAY;
    const old = this.#old();
    const gone = old.filter(({ time }, i) => time < oldest || (maxBackups > 0 && i >= maxBackups));
    for (const { name } of gone) rmSync(join(dirname(path), name), { force: true });
  }

  /** The rotated files, newest first. */
  #old(): { name: string; time: number }[] {
    const { path } = this.#options;
    return readdirSync(dirname(path))
      .map((name) => ({ name, time: timeOf(name, this.#stem, extname(path)) }))
      .filter(({ time }) => !Number.isNaN(time))
      .sort((a, b) => b.time - a.time);
  }
}

/** Returns a free timestamp, because two files may be rotated within one millisecond. */
function freeStamp(now: number, isTaken: (stamp: string) => boolean): string {
  for (let time = now; ; time++) {
    const stamp = new Date(time).toISOString().slice(0, -1).replaceAll(':', '-');
    if (!isTaken(stamp)) return stamp;
  }
}

function timeOf(name: string, stem: string, extension: string): number {
  const plain = name.endsWith('.gz') ? name.slice(0, -3) : name;
  if (!plain.startsWith(stem) || !plain.endsWith(extension)) return Number.NaN;
  const stamp = OLD.exec(plain.slice(stem.length, plain.length - extension.length))?.[1];
  return stamp === undefined ? Number.NaN : Date.parse(`${stamp.replace(/T(\d+)-(\d+)-/, 'T$1:$2:')}Z`);
}

async function compressed(path: string): Promise<void> {
  await pipeline(createReadStream(path), createGzip(), createWriteStream(`${path}.gz`, { mode: 0o600 }));
  rmSync(path);
}
