import type { Clock } from '#lib/machinery/clock.ts';
import { StoreError } from '../errors.ts';
import { checkProposals } from '../limits.ts';
import type {
  AppendResult,
  Change,
  Cursors,
  Extent,
  LogPage,
  Outline,
  Proposal,
  Sequence,
  Snapshot,
  Version,
} from '../sequence.ts';
import { stampAll } from '../stamp.ts';
import type { Entry, MemoryLog } from './log.ts';

/** The clock and limits of an in-memory sequence. */
export interface SequenceOptions {
  readonly clock: Clock;
  /** The minimum time in ms for which entries are kept. */
  readonly retention: number;
  /** Creates the outline that snapshots may show instead of a body. By default there are none. */
  readonly outline?: Outline;
}

/** An in-memory log, created on first use. */
export class MemorySequence implements Sequence {
  readonly #open: () => MemoryLog;
  readonly #options: SequenceOptions;
  #closed = false;

  constructor(open: () => MemoryLog, options: SequenceOptions) {
    this.#open = open;
    this.#options = options;
  }

  readonly marks: Cursors = {
    cursor: async (reader) => this.#log.cursors.get(reader),
    moveCursor: async (reader, from, to) => {
      const { cursors } = this.#log;
      if (cursors.get(reader) !== from) return false;
      cursors.set(reader, to);
      return true;
    },
  };

  get #log(): MemoryLog {
    if (this.#closed) throw new StoreError('Closed', 'the sequence was closed');
    return this.#open();
  }

  async head(): Promise<Version> {
    return this.#log.head;
  }

  async readLog(after: Version, { limit, consistent }: { limit: number; consistent: boolean }): Promise<LogPage> {
    const log = this.#log;
    if (after < log.floor) throw expired(after);
    if (consistent && after > log.head) throw above(after, log.head);
    const changes: Change[] = [];
    let last = after;
    for (const entry of log.entriesBehind(after)) {
      if (changes.length >= limit) return { changes, last, more: true };
      const unread = entry.changes.filter(({ version }) => version > after);
      const taken = unread.slice(0, limit - changes.length);
      changes.push(...taken);
      if (taken.length < unread.length) return { changes, last: changes.at(-1)?.version ?? last, more: true };
      last = entry.last;
    }
    return { changes, last, more: false };
  }

  async snapshot({ prefix, start = '', outlines = false }: Parameters<Sequence['snapshot']>[0]): Promise<Snapshot> {
    const log = this.#log;
    const outline = outlines ? this.#options.outline : undefined;
    return { from: log.watermark, entries: entriesOf(log, log.keys(prefix, start), outline) };
  }

  async extent(prefix: string): Promise<Extent> {
    const { watermark: from, items } = this.#log;
    const bodies = [...items].filter(([key]) => key.startsWith(prefix)).map(([, { body }]) => body.length);
    return { from, objects: bodies.length, bytes: bodies.reduce((sum, length) => sum + length, 0) };
  }

  async read(key: string): ReturnType<Sequence['read']> {
    const { watermark: from, items } = this.#log;
    const item = items.get(key);
    return item === undefined ? { from } : { from, item };
  }

  async append(after: Version, proposals: readonly Proposal[], { nonce }: { nonce: string }): Promise<AppendResult> {
    const log = this.#log;
    checkProposals(after, proposals);
    if (after < log.floor) throw expired(after);
    if (after > log.head) throw above(after, log.head);
    const taken = after < log.head ? log.entryAt(after + 1) : undefined;
    if (taken !== undefined) return outcome(taken, after, nonce);
    const [first, last] = [after + 1, after + Math.max(proposals.length, 1)];
    log.push({ first, last, nonce, time: this.#options.clock.now(), changes: stampAll(after, proposals) });
    return { ok: true, first, last };
  }

  async compact(): Promise<Version> {
    const log = this.#log;
    log.fold();
    log.drop({ now: this.#options.clock.now(), retention: this.#options.retention });
    return log.watermark;
  }

  async positionBefore(time: number): Promise<Version> {
    const log = this.#log;
    for (const entry of log.entriesBehind(log.floor)) if (entry.time >= time) return entry.first - 1;
    return log.head;
  }

  async raiseEpoch(): Promise<Version> {
    return this.#log.raiseEpoch(this.#options.clock.now());
  }

  async close(): Promise<void> {
    this.#closed = true;
  }
}

/** Yields in steps, so that readers see states newer than the watermark, as with other backends. */
async function* entriesOf(log: MemoryLog, keys: readonly string[], outline: Outline = () => undefined) {
  for (const key of keys) {
    const item = log.items.get(key);
    const short = item && outline(key, item.body);
    if (item !== undefined) yield { key, ...item, ...(short === undefined ? {} : { body: short, outline: true }) };
  }
}

function outcome(taken: Entry, after: Version, nonce: string): AppendResult {
  const { first, last } = taken;
  if (taken.nonce === nonce && first === after + 1) return { ok: true, first, last };
  return { ok: false, winner: taken.changes.filter(({ version }) => version > after), last };
}

const expired = (after: Version): StoreError =>
  new StoreError('Expired', `the log no longer holds what follows ${after}`);

const above = (after: Version, head: Version): StoreError =>
  new StoreError('FutureVersion', `position ${after} is above the head`, { head });
