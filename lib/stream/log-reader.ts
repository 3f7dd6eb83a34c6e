import { StoreError } from '#lib/storage/errors.ts';
import type { Change, LogPage, Sequence, Version } from '#lib/storage/sequence.ts';

/** The number of changes in a page. Each may have a body of 1.5 MiB and a previous body of the same size. */
const PAGE = 64;
/** The number of pages kept for consumers at different positions. */
const KEPT = 2;

/** Reads one log for several consumers. Consumers at the same position share a page. */
export class LogReader {
  readonly #sequence: Sequence;
  readonly #pages = new Map<Version, Promise<LogPage>>();

  constructor(sequence: Sequence) {
    this.#sequence = sequence;
  }

  /** Reads the changes after `after` consistently, with their previous bodies if the log has them. Throws the errors of `readLog`. */
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

  /** Undefined if the log no longer has the body. */
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
