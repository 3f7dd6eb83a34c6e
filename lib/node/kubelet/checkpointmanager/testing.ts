import type { CheckpointStore } from './checkpoint-store.ts';

/** Checkpoints in memory. */
export class MemoryCheckpoints implements CheckpointStore {
  readonly #files = new Map<string, Uint8Array>();

  async read(key: string): Promise<Uint8Array | undefined> {
    return this.#files.get(key);
  }

  async write(key: string, data: Uint8Array): Promise<void> {
    this.#files.set(key, data);
  }

  async delete(key: string): Promise<void> {
    this.#files.delete(key);
  }

  async list(): Promise<string[]> {
    return [...this.#files.keys()];
  }

  /** The text of a checkpoint, '' where there is none. */
  text(key: string): string {
    return Buffer.from(this.#files.get(key) ?? []).toString();
  }

  /** Puts a text in place. */
  put(key: string, text: string): void {
    this.#files.set(key, Buffer.from(text));
  }
}
