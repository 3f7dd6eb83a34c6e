import { StoreError } from '#lib/storage/errors.ts';
import type { Change, Proposal, Sequence, Version } from '#lib/storage/sequence.ts';
import type { Seen } from './history.ts';

export interface Known {
  readonly version: Version;
  readonly count: number;
}

/** The state of a sequence as one process follows it: the simplest correct cache. */
export class Replica {
  head: Version = 0;
  readonly state = new Map<string, Known>();
  readonly #sequence: Sequence;

  constructor(sequence: Sequence) {
    this.#sequence = sequence;
  }

  /** Loads the watermark, the snapshot, then newer entries per key. */
  async load(): Promise<void> {
    const { from, entries } = await this.#sequence.snapshot({ prefix: '' });
    this.state.clear();
    for await (const { key, version, body } of entries) this.state.set(key, { version, count: contentOf(body).count });
    this.head = from;
    await this.follow();
  }

  /** Follows the log to its head at some time after the call. Loads again if the log no longer has the next version. */
  async follow(): Promise<void> {
    for (;;) {
      try {
        const page = await this.#sequence.readLog(this.head, { limit: 200, consistent: true });
        this.apply(page.changes, page.last);
        if (!page.more) return;
      } catch (error) {
        if (!(error instanceof StoreError) || error.code !== 'Expired') throw error;
        return this.load();
      }
    }
  }

  apply(changes: readonly Change[], last: Version): void {
    for (const { key, version, type, body } of changes) {
      if (version <= (this.state.get(key)?.version ?? 0)) continue;
      if (type === 'DELETED') this.state.delete(key);
      else this.state.set(key, { version, count: contentOf(body).count });
    }
    this.head = last;
  }
}

/** The next change of a key, based on the previous one, so that a lost update is detected. */
export function nextChange(key: string, op: string, before: Known | undefined, toDelete: boolean): Proposal {
  const existing = toDelete ? 'DELETED' : 'MODIFIED';
  const count = (before?.count ?? 0) + 1;
  const summary = { labels: { op }, fields: {}, generation: count, ownerReferences: [] };
  return {
    key,
    type: before === undefined ? 'ADDED' : existing,
    ...summary,
    body: Buffer.from(JSON.stringify({ metadata: { resourceVersion: '0' }, op, count })),
    ...(before === undefined ? {} : { previous: { ...summary, version: before.version } }),
  };
}

export function seenOf({ version, key, type, body, previous }: Change): Seen {
  const { op, count } = contentOf(body);
  return { version, key, type, op, count, ...(previous === undefined ? {} : { previous: previous.version }) };
}

function contentOf(body: Uint8Array): { op: string; count: number } {
  return JSON.parse(Buffer.from(body).toString()) as { op: string; count: number };
}
