import { StoreError } from '../errors.ts';

/**
 * Upstream's `value.Transformer`: converts bytes for storage. `key` binds the bytes to their storage key. Both methods throw StoreError
 * Undecryptable.
 */
export interface Transformer {
  toStorage(data: Uint8Array, key: string): Promise<Uint8Array>;
  /** `stale` is true if a write of the same data would now store it differently. */
  fromStorage(data: Uint8Array, key: string): Promise<{ readonly data: Uint8Array; readonly stale: boolean }>;
}

/** A transformer for data with a prefix such as `k8s:enc:aescbc:v1:key1:`. */
export interface PrefixTransformer {
  readonly prefix: string;
  readonly transformer: Transformer;
}

/** The prefix of all encrypted data. No other data has it. */
export const ENCRYPTED = 'k8s:enc:';

/** The error of data that cannot be decrypted. The message contains no data. */
export const undecryptable = (message: string, cause?: unknown): StoreError =>
  new StoreError('Undecryptable', message, { cause });

/** Whether data begins with a Latin-1 prefix. */
export const beginsWith = (data: Uint8Array, prefix: string): boolean =>
  data.length >= prefix.length &&
  Buffer.from(data.buffer, data.byteOffset, prefix.length).toString('latin1') === prefix;

/**
 * Writes with the first transformer. Reads with every transformer that has a matching prefix, because two keys may have the same name. Data
 * that any other than the first wrote is stale. Throws with `message` if no prefix matches.
 */
export function prefixTransformers(message: string, all: readonly PrefixTransformer[]): Transformer {
  return {
    async toStorage(data, key) {
      const [first] = all;
      if (first === undefined) throw undecryptable(message);
      return Buffer.concat([Buffer.from(first.prefix, 'latin1'), await first.transformer.toStorage(data, key)]);
    },
    async fromStorage(data, key) {
      const faults: StoreError[] = [];
      for (const [i, { prefix, transformer }] of all.entries()) {
        if (!beginsWith(data, prefix)) continue;
        const read = await transformer.fromStorage(data.subarray(prefix.length), key).catch(undecryptableOnly);
        if (!(read instanceof StoreError)) return { data: read.data, stale: read.stale || i > 0 };
        if (prefix !== '') faults.push(read);
      }
      throw faults.length === 0 ? undecryptable(message) : undecryptable(aggregated(faults), faults[0]);
    },
  };
}

function undecryptableOnly(error: unknown): StoreError {
  if (error instanceof StoreError && error.code === 'Undecryptable') return error;
  throw error;
}

/** Upstream's aggregate: a single message unchanged, several in brackets without duplicates. */
function aggregated(faults: readonly StoreError[]): string {
  const texts = [...new Set(faults.map(({ message }) => message))];
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`;
}

/** Stores data unchanged. Rejects encrypted data on read. */
export const identity: Transformer = {
  toStorage: async (data) => data,
  async fromStorage(data) {
    if (beginsWith(data, ENCRYPTED)) throw undecryptable('identity transformer tried to read encrypted data');
    return { data, stale: false };
  },
};
