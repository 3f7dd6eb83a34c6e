import * as z from 'zod/mini';
import type { SharedSecret } from './kept-signer.ts';
import type { KeyPair } from './new-signer.ts';

/** The certificate that this server presents to aggregated servers, its key, and its authority, all PEM. */
export interface FrontProxy {
  readonly authority: string;
  readonly client: KeyPair;
}

const kept = z.object({ authority: z.string(), client: z.object({ certificate: z.string(), key: z.string() }) });

/** The front proxy of an account, shared by all processes. `make` creates it if none exists. */
export async function keptFrontProxy(secret: SharedSecret, make: () => Promise<FrontProxy>): Promise<FrontProxy> {
  const text = await secret('front-proxy', async () => Buffer.from(JSON.stringify(await make())));
  return kept.parse(JSON.parse(text));
}
