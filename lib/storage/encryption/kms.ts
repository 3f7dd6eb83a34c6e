import { randomBytes } from 'node:crypto';
import type { Clock } from '#lib/machinery/clock.ts';
import { StoreError } from '../errors.ts';
import { aesGcm } from './aes.ts';
import { type Transformer, undecryptable } from './transformer.ts';

/** The holder of the key that encrypts data keys: upstream's KMS v2 provider. All throw StoreError Refused. */
export interface KeyManagement {
  encrypt(dataKey: Uint8Array): Promise<{ readonly encrypted: Uint8Array; readonly keyId: string }>;
  decrypt(encrypted: Uint8Array, keyId: string): Promise<Uint8Array>;
  /** The key by which it encrypts now. Without it, only a new data key tells. */
  keyId?(): Promise<string>;
}

interface DataKey {
  readonly encrypted: Uint8Array;
  readonly keyId: string;
  readonly cipher: Transformer;
}

const LIFE = 60 * 60 * 1000;
/** Between two looks at by which key the provider encrypts; as upstream's. */
const LOOK = 60 * 1000;
/** Data keys kept in the clear: some months of one writer. */
const KEPT = 1000;

/**
 * Envelope encryption: data by AES-GCM with a data key of this process, made anew every hour, which stands encrypted beside
 * the data. Data under another key of the provider is stale. What was decrypted once is read also while the provider is away.
 */
export function kmsEnvelope(provider: KeyManagement, clock: Clock): Transformer {
  const known = new Map<string, Promise<Transformer>>();
  let current: { readonly key: Promise<DataKey>; readonly until: number } | undefined;
  let looked = 0;
  const begin = (): Promise<DataKey> => {
    looked = clock.monotonic();
    const key = newDataKey(provider);
    const made = (current = { key, until: looked + LIFE });
    key.catch(() => {
      if (current === made) current = undefined;
    });
    return key;
  };
  const isReplaced = async ({ keyId }: DataKey): Promise<boolean> => {
    if (provider.keyId === undefined || clock.monotonic() < looked + LOOK) return false;
    looked = clock.monotonic();
    return (await provider.keyId().catch(ifAway(keyId))) !== keyId;
  };
  const writing = async (): Promise<DataKey> => {
    const held = current !== undefined && clock.monotonic() < current.until ? current.key : begin();
    const key = await held;
    return (await isReplaced(key)) ? begin() : key;
  };
  const reading = (encrypted: Uint8Array, keyId: string): Promise<Transformer> => {
    const name = `${keyId}/${Buffer.from(encrypted).toString('latin1')}`;
    const cipher = known.get(name) ?? provider.decrypt(encrypted, keyId).then(aesGcm);
    known.delete(name);
    known.set(name, cipher);
    cipher.catch(() => known.delete(name));
    if (known.size > KEPT) known.delete(known.keys().next().value as string);
    return cipher;
  };
  return {
    async toStorage(data, key) {
      const { encrypted, keyId, cipher } = await writing();
      return Buffer.concat([withLength(Buffer.from(keyId)), withLength(encrypted), await cipher.toStorage(data, key)]);
    },
    async fromStorage(data, key) {
      const [id, behind] = lengthPrefixed(data);
      const [encrypted, sealed] = lengthPrefixed(behind);
      const keyId = Buffer.from(id).toString();
      const read = await (await reading(encrypted, keyId)).fromStorage(sealed, key);
      const { keyId: now } = await writing().catch(ifAway({ keyId }));
      return { data: read.data, stale: keyId !== now };
    },
  };
}

/** Returns `known` in place of the error Refused of a provider that does not answer, and throws any other. */
const ifAway =
  <T>(known: T) =>
  (error: unknown): T => {
    if (error instanceof StoreError && error.code === 'Refused') return known;
    throw error;
  };

async function newDataKey(provider: KeyManagement): Promise<DataKey> {
  const key = randomBytes(32);
  return { ...(await provider.encrypt(key)), cipher: aesGcm(key) };
}

function withLength(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function lengthPrefixed(data: Uint8Array): [Uint8Array, Uint8Array] {
  const view = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const end = view.length < 2 ? Number.POSITIVE_INFINITY : 2 + view.readUInt16BE(0);
  if (end > view.length) throw undecryptable('the stored data was shorter than the required size');
  return [view.subarray(2, end), view.subarray(end)];
}
