import * as z from 'zod/mini';
import type { SharedSecret } from './kept-signer.ts';
import type { KeyPair } from './new-signer.ts';

/** The authority of this server's certificate towards aggregated servers, PEM, and that certificate with its key. */
export interface FrontProxy {
  readonly authority: string;
  readonly client: KeyPair;
}

const kept = z.object({ authority: z.string(), client: z.object({ certificate: z.string(), key: z.string() }) });

/** The one of an account, for all processes. `make` makes it where there is none yet. */
export async function keptFrontProxy(secret: SharedSecret, make: () => Promise<FrontProxy>): Promise<FrontProxy> {
  const text = await secret('front-proxy', async () => Buffer.from(JSON.stringify(await make())));
  return kept.parse(JSON.parse(text));
}
