import type { KeyPair } from '#lib/controllers/certificates/new-signer.ts';
import type { CertificateStore } from './store.ts';

/** An in-memory store. */
export class MemoryCertificates implements CertificateStore {
  pair: KeyPair | undefined;
  pending: string | undefined;

  async current(): Promise<KeyPair | undefined> {
    return this.pair;
  }

  async update(pair: KeyPair): Promise<void> {
    this.pair = pair;
  }

  async pendingKey(): Promise<string | undefined> {
    return this.pending;
  }

  async keepPendingKey(key: string | undefined): Promise<void> {
    this.pending = key;
  }
}
