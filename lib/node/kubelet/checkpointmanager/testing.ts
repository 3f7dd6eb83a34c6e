import type { CheckpointStore } from './checkpoint-store.ts';

/** In-memory checkpoints. */
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

  /** The text of a checkpoint, or '' if it does not exist. */
  text(key: string): string {
    return Buffer.from(this.#files.get(key) ?? []).toString();
  }

  /** Replaces the text of a checkpoint. */
  put(key: string, text: string): void {
    this.#files.set(key, Buffer.from(text));
  }
}
