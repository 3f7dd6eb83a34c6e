import { StoreError } from '#lib/storage/errors.ts';
import type { Change, LogPage, Sequence, Version } from '#lib/storage/sequence.ts';

/** Changes of one page: each may have a body of 1.5 MiB, and as much before it. */
const PAGE = 64;
/** Pages that lanes at different places still have to read. */
const KEPT = 2;

/** Reads one log for several lanes: who comes to the same place is given the same page. */
export class LogReader {
  readonly #sequence: Sequence;
  readonly #pages = new Map<Version, Promise<LogPage>>();

  constructor(sequence: Sequence) {
    this.#sequence = sequence;
  }

  /**
   * Reads the changes behind `after` consistently, with their previous bodies if the log has them. Throws as `readLog`.
   */
  page(after: Version): Promise<LogPage> {
    const known = this.#pages.get(after);
    if (known !== undefined) return known;
    const page = this.#read(after);
    this.#pages.set(after, page);
    const oldest = this.#pages.size > KEPT ? this.#pages.keys().next().value : undefined;
    if (oldest !== undefined) this.#pages.delete(oldest);
    return page;
  }

  async #read(after: Version): Promise<LogPage> {
    const page = await this.#sequence.readLog(after, { limit: PAGE, consistent: true });
    return { ...page, changes: await this.#withPrevious(page.changes) };
  }

  async #withPrevious(changes: readonly Change[]): Promise<Change[]> {
    const inPage = new Map(changes.map((change) => [change.version, change.body]));
    return Promise.all(
      changes.map(async (change) => {
        const { previous, previousBody, key } = change;
        if (previous === undefined || previousBody !== undefined) return change;
        const body = inPage.get(previous.version) ?? (await this.#bodyAt(previous.version, key));
        return body === undefined ? change : { ...change, previousBody: body };
      }),
    );
  }

  /** Undefined where the log no longer has it. */
  async #bodyAt(version: Version, key: string): Promise<Uint8Array | undefined> {
    try {
      const { changes } = await this.#sequence.readLog(version - 1, { limit: 1, consistent: false });
      const [change] = changes;
      return change?.version === version && change.key === key ? change.body : undefined;
    } catch (error) {
      if (error instanceof StoreError && error.code === 'Expired') return undefined;
      throw error;
    }
  }
}
