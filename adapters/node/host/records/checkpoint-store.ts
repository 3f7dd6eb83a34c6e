import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckpointStore } from '#lib/node/kubelet/checkpointmanager/checkpoint-store.ts';
import { writeOwnerOnly } from './certificate-store.ts';
import { ifMissing } from './path-error.ts';

/** Keys that upstream accepts as file names. */
const KEY = /^[a-zA-Z0-9][\w.-]{0,249}$/;

/** Checkpoints as files of one folder that only their owner can read. Every method rejects a key that is not a valid file name. */
export class FileCheckpoints implements CheckpointStore {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async read(key: string): Promise<Uint8Array | undefined> {
    return readFile(this.#path(key)).catch(ifMissing);
  }

  async write(key: string, data: Uint8Array): Promise<void> {
    this.#path(key);
    await writeOwnerOnly(this.#directory, key, data);
  }

  async delete(key: string): Promise<void> {
    await rm(this.#path(key), { force: true });
  }

  async list(): Promise<string[]> {
    const names = (await readdir(this.#directory).catch(ifMissing)) ?? [];
    return names.filter((name) => !name.startsWith('.'));
  }

  #path(key: string): string {
    if (!KEY.test(key)) throw new Error(`invalid key: ${JSON.stringify(key)}`);
    return join(this.#directory, key);
  }
}
