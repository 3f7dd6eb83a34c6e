import type { KeyPair } from '#lib/controllers/certificates/new-signer.ts';

/** Keeps the client certificate of a node, and the key of a request until it is answered. */
export interface CertificateStore {
  /** The pair in use; undefined before the first. Rejects where it cannot be read. */
  current(): Promise<KeyPair | undefined>;
  /** Puts a pair in use, at once and for good. */
  update(pair: KeyPair): Promise<void>;
  /** The key of a request that waits, PKCS #8 PEM. */
  pendingKey(): Promise<string | undefined>;
  /** Keeps such a key, or drops it. */
  keepPendingKey(key: string | undefined): Promise<void>;
}
