import type { CheckpointStore } from './checkpoint-store.ts';

/** One checkpoint in a store. Writes are serialized: the last requested one wins. */
export class CheckpointFile {
  readonly #store: CheckpointStore;
  readonly #key: string;
  #last: Promise<void> = Promise.resolve();

  constructor(store: CheckpointStore, key: string) {
    this.#store = store;
    this.#key = key;
  }

  /** Undefined if it does not exist yet. */
  read(): Promise<Uint8Array | undefined> {
    return this.#store.read(this.#key);
  }

  /** Rejects if the store cannot write. Later writes are still attempted. */
  write(data: Uint8Array | string): Promise<void> {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    const written = this.#last.then(() => this.#store.write(this.#key, bytes));
    this.#last = written.catch(() => undefined); // the caller receives the error
    return written;
  }
}
