import { describe, expect, test } from 'vitest';
import type { LogFile, LogFiles } from './log-files.ts';
import { parseLogLine } from './log-line.ts';
import { type LogOptions, type LogPorts, readLogs } from './read-logs.ts';

const PATH = '/var/log/pods/n_p_u/app/0.log';
const LINES = [
  '2026-01-01T00:00:00.1Z stdout F one\n',
  '2026-01-01T00:00:01.000000002Z stderr F two\n',
  '2026-01-01T00:00:02+02:00 stdout P thr\n',
  '2026-01-01T00:00:02+02:00 stdout F ee\n',
  '2026-01-01T00:00:04Z stdout F:x four\n',
];

/** An in-memory log that tests can append to and rotate. */
class MemoryLog implements LogFiles {
  #content = '';
  #generation = 0;
  /** Callbacks. Each wait of a reader calls the next one. */
  readonly whileWaiting: (() => void)[] = [];
  isMissing = false;
  /** Whether the file at the path is refused because it is not a log. */
  isRefused = false;
  open_ = 0;

  constructor(content: string) {
    this.#content = content;
  }

  append(text: string): void {
    this.#content += text;
    this.#current.content = this.#content;
  }

  /** Replaces the file at the path with a new one. */
  rotate(text: string): void {
    this.#generation += 1;
    this.#content = text;
    this.#current = { content: text };
  }

  #current = { content: '' };

  async open(): Promise<LogFile> {
    if (this.isMissing || this.isRefused) throw new Error('missing');
    if (this.#generation === 0) this.#current.content = this.#content;
    const held = this.#current;
    this.open_ += 1;
    return {
      identity: `${this.#generation}`,
      size: async () => Buffer.byteLength(held.content),
      read: async (at, length) => Buffer.from(held.content).subarray(at, at + length),
      [Symbol.asyncDispose]: async () => void (this.open_ -= 1),
    };
  }

  async identity(): Promise<string | undefined> {
    return this.isMissing ? undefined : `${this.#generation}`;
  }

  watch() {
    return {
      next: async () => this.whileWaiting.shift()?.(),
      [Symbol.dispose]: () => undefined,
    };
  }
}

async function shown(log: MemoryLog, more: Partial<LogOptions> = {}, isRunning?: LogPorts['isRunning']) {
  const options = { follow: false, timestamps: false, ...more };
  const ports = { files: log, isRunning: isRunning ?? (async () => log.whileWaiting.length > 0) };
  const chunks = await Array.fromAsync(readLogs(PATH, options, ports, new AbortController().signal));
  expect(log.open_).toBe(0);
  return Buffer.concat(chunks).toString();
}

const ALL = LINES.join('');

describe('a complete container log', () => {
  test.each<[string, Partial<LogOptions>, string]>([
    ['as a whole', {}, 'one\ntwo\nthree\nfour\n'],
    ['of stdout', { stream: 'stdout' }, 'one\nthree\nfour\n'],
    ['of stderr', { stream: 'stderr' }, 'two\n'],
    ['from the end', { tailLines: 2 }, 'ee\nfour\n'],
    ['from more lines than it has', { tailLines: 99 }, 'one\ntwo\nthree\nfour\n'],
    ['of zero lines', { tailLines: 0 }, ''],
    ['up to a limit', { limitBytes: 6 }, 'one\ntw'],
    ['since a time', { since: Date.parse('2026-01-01T00:00:01Z') }, 'two\nfour\n'],
    [
      'with one timestamp for a line in parts',
      { timestamps: true },
      '2026-01-01T00:00:00.100000000Z one\n2026-01-01T00:00:01.000000002Z two\n' +
        '2026-01-01T00:00:02.000000000+02:00 three\n2026-01-01T00:00:04.000000000Z four\n',
    ],
  ])('reads a log %s', async (_, options, expected) => {
    expect(await shown(new MemoryLog(ALL), options)).toBe(expected);
  });

  test('reads an incomplete last line', async () => {
    const log = new MemoryLog(`${ALL}2026-01-01T00:00:05Z stdout F five`);
    expect(await shown(log, { tailLines: 1 })).toBe('four\n');
    expect(await shown(log)).toMatch(/four\nfive$/);
  });

  test('skips invalid lines, except the first', async () => {
    expect(await shown(new MemoryLog(`${LINES[0]}broken\n${LINES[1]}`))).toBe('one\ntwo\n');
    await expect(shown(new MemoryLog('broken\n'))).rejects.toThrow(
      'failed to get parse function: unsupported log format: "broken\\n"',
    );
  });

  test('reads the end of a log that is longer than a block', async () => {
    const long = Array.from({ length: 5000 }, (_, index) => `2026-01-01T00:00:00Z stdout F line ${index}\n`).join('');
    expect(await shown(new MemoryLog(long), { tailLines: 3 })).toBe('line 4997\nline 4998\nline 4999\n');
  });
});

describe('a followed container log', () => {
  test('follows a log until its container exits, including its last output', async () => {
    const log = new MemoryLog(LINES[0] ?? '');
    log.whileWaiting.push(
      () => log.append('2026-01-01T00:00:01Z stderr F tw'),
      () => log.append('o\n'),
    );
    let asked = 0;
    const isRunning = async (): Promise<boolean> => {
      if (++asked === 3) log.append('2026-01-01T00:00:04Z stdout F last\n');
      return asked < 3;
    };
    expect(await shown(log, { follow: true }, isRunning)).toBe('one\ntwo\nlast\n');
  });

  test('follows a log through rotations without losing a line', async () => {
    const log = new MemoryLog(LINES[0] ?? '');
    log.whileWaiting.push(
      () => {
        log.append(LINES[1] ?? '');
        log.rotate('2026-01-01T00:00:03Z stdout F three\n');
      },
      () => log.append(LINES[4] ?? ''),
    );
    expect(await shown(log, { follow: true })).toBe('one\ntwo\nthree\nfour\n');
  });

  test('follows a log until its container exits, even if another file replaces the log', async () => {
    const log = new MemoryLog(LINES[0] ?? '');
    log.whileWaiting.push(
      () => {
        log.rotate('x');
        log.isRefused = true;
      },
      () => undefined,
    );
    expect(await shown(log, { follow: true })).toBe('one\n');
    expect(log.whileWaiting).toEqual([]);
  });

  test('follows a log from its end', async () => {
    const log = new MemoryLog(ALL);
    log.whileWaiting.push(() => log.append('2026-01-01T00:00:05Z stdout F five\n'));
    expect(await shown(log, { follow: true, tailLines: 0 })).toBe('five\n');
  });

  test('follows a log until the reader disconnects', async () => {
    const log = new MemoryLog(ALL);
    const gone = new AbortController();
    log.whileWaiting.push(() => gone.abort());
    const options = { follow: true, timestamps: false, tailLines: 0 };
    const chunks = readLogs(PATH, options, { files: log, isRunning: async () => true }, gone.signal);
    expect(await Array.fromAsync(chunks)).toEqual([]);
  });
});

test.each([
  'x',
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00Z stdout',
  '2026-01-01T00:00:00Z stdout F',
  '2026-01-01T00:00:00Z stdin F x',
  '2026-13-01T00:00:00Z stdout F x',
  'yesterday stdout F x',
])('rejects %j as a log line', (line) => {
  expect(parseLogLine(Buffer.from(line))).toBeUndefined();
});
