/** Where checkpoints stay over a restart of the agent: one folder, a file a key (upstream: util/store.Store). */
export interface CheckpointStore {
  /** Undefined where the key has no checkpoint. Throws where the store does not tell. */
  read(key: string): Promise<Uint8Array | undefined>;
  /** Replaces the checkpoint at once: a crash leaves the old one or the new one. */
  write(key: string, data: Uint8Array): Promise<void>;
  /** Does nothing where there is none. */
  delete(key: string): Promise<void>;
  list(): Promise<string[]>;
}

/** A checkpoint whose checksum is not that of its data. */
export class CorruptCheckpointError extends Error {
  override readonly name = 'CorruptCheckpointError';

  constructor(options?: ErrorOptions) {
    super('checkpoint is corrupted', options);
  }
}
