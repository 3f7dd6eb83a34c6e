import { randomBytes } from 'node:crypto';
import type { Clock } from '#lib/machinery/clock.ts';
import { StoreError } from '../errors.ts';
import { aesGcm } from './aes.ts';
import { type Transformer, undecryptable } from './transformer.ts';

/** The provider that encrypts data keys: upstream's KMS v2 provider. All methods throw StoreError Refused. */
export interface KeyManagement {
  encrypt(dataKey: Uint8Array): Promise<{ readonly encrypted: Uint8Array; readonly keyId: string }>;
  decrypt(encrypted: Uint8Array, keyId: string): Promise<Uint8Array>;
  /** The id of the provider's current key. Without this method, a key change is noticed only when a new data key is created. */
  keyId?(): Promise<string>;
}

interface DataKey {
  readonly encrypted: Uint8Array;
  readonly keyId: string;
  readonly cipher: Transformer;
}

const LIFE = 60 * 60 * 1000;
/** Upstream's interval in ms between two checks of the provider's key id. */
const LOOK = 60 * 1000;
/** The maximum number of decrypted data keys in memory, enough for some months of one writer. */
const KEPT = 1000;

/**
 * Envelope encryption: AES-GCM with a data key of this process. The data key is renewed every hour and stored in encrypted form next to the
 * data. Data encrypted under another provider key is stale. Data decrypted once can be read even while the provider is down.
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

/** Returns `known` if the provider is down (Refused). Throws any other error. */
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
