/** Persists checkpoints across restarts of the agent: one directory with a file per key (upstream: util/store.Store). */
export interface CheckpointStore {
  /** Undefined if the key has no checkpoint. Throws if the store is unavailable. */
  read(key: string): Promise<Uint8Array | undefined>;
  /** Replaces the checkpoint atomically: after a crash it is either the old or the new one. */
  write(key: string, data: Uint8Array): Promise<void>;
  /** Does nothing if it does not exist. */
  delete(key: string): Promise<void>;
  list(): Promise<string[]>;
}

/** The error for a checkpoint whose checksum does not match its data. */
export class CorruptCheckpointError extends Error {
  override readonly name = 'CorruptCheckpointError';

  constructor(options?: ErrorOptions) {
    super('checkpoint is corrupted', options);
  }
}
