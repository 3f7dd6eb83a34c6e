import { SIGNER } from './kept-authority.ts';
import { type KeyPair, newSigner } from './new-signer.ts';

/** A secret that all processes share under a name. The first process that needs it creates it, and it never changes. */
export type SharedSecret = (name: string, make: () => Promise<Uint8Array>) => Promise<string>;

/** The authority that signs certificates in an account. All processes share it, and it is created on first use. */
export async function keptSigner(secret: SharedSecret, now: Date): Promise<KeyPair> {
  return JSON.parse(await secret(SIGNER, async () => Buffer.from(JSON.stringify(await newSigner(now))))) as KeyPair;
}
