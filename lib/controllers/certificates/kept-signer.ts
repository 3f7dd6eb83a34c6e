import { newSigner, type KeyPair } from './new-signer.ts';

/** What all processes share under a name: made by the first that asks, the same ever after. */
export type SharedSecret = (name: string, make: () => Promise<Uint8Array>) => Promise<string>;

/** The authority that signs certificates in an account: one for all processes, made when it is first needed. */
export async function keptSigner(secret: SharedSecret, now: Date): Promise<KeyPair> {
  return JSON.parse(await secret('signer', async () => Buffer.from(JSON.stringify(await newSigner(now))))) as KeyPair;
}
