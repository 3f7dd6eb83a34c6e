import type { CheckpointStore } from './checkpoint-store.ts';

/** One checkpoint of a store. Writes happen one after another: the last one that was asked for is the one that stays. */
export class CheckpointFile {
  readonly #store: CheckpointStore;
  readonly #key: string;
  #last: Promise<void> = Promise.resolve();

  constructor(store: CheckpointStore, key: string) {
    this.#store = store;
    this.#key = key;
  }

  /** Undefined where there is none yet. */
  read(): Promise<Uint8Array | undefined> {
    return this.#store.read(this.#key);
  }

  /** Rejects where the store cannot write; writes that follow are tried all the same. */
  write(data: Uint8Array | string): Promise<void> {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    const written = this.#last.then(() => this.#store.write(this.#key, bytes));
    this.#last = written.catch(() => undefined); // the caller has the error
    return written;
  }
}
