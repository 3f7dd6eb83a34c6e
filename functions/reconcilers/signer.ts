import { systemClock } from '#adapters/clock.ts';
import { newSigner, type KeyPair } from '#lib/controllers/certificates/new-signer.ts';

/** Who signs certificates that are approved: one for all processes, made when it is first needed. */
export async function keptSigner(
  secret: (name: string, make: () => Promise<Uint8Array>) => Promise<string>,
): Promise<KeyPair> {
  const make = async () => Buffer.from(JSON.stringify(await newSigner(new Date(systemClock.now()))));
  return JSON.parse(await secret('signer', make)) as KeyPair;
}
