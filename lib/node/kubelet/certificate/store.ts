import type { KeyPair } from '#lib/controllers/certificates/new-signer.ts';

/** Stores the certificate of a node, and the key of a pending request. */
export interface CertificateStore {
  /** The key pair in use, or undefined before the first one. Rejects if it cannot be read. */
  current(): Promise<KeyPair | undefined>;
  /** Starts to use a key pair, atomically and durably. */
  update(pair: KeyPair): Promise<void>;
  /** The key of a pending request as PKCS #8 PEM. */
  pendingKey(): Promise<string | undefined>;
  /** Stores the key of a pending request, or removes it. */
  keepPendingKey(key: string | undefined): Promise<void>;
}
