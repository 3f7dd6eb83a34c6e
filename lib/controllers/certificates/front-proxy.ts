import * as z from 'zod/mini';
import { authorityOf } from './issue.ts';
import type { SharedSecret } from './kept-signer.ts';
import { privatePem, selfSigned, type KeyPair } from './new-signer.ts';

/** The common name of the certificate by which aggregated servers know this one: kubeadm's. */
export const FRONT_PROXY_CLIENT = 'front-proxy-client';

/** The authority of this server's certificate towards aggregated servers, PEM, and that certificate with its key. */
export interface FrontProxy {
  readonly authority: string;
  readonly client: KeyPair;
}

/** A new authority with one client. Its key is not kept: nobody else may ever speak for users. */
export async function newFrontProxy(now: Date): Promise<FrontProxy> {
  const { root, keys } = await selfSigned('CN=front-proxy-ca', now);
  const authority = root.toString('pem');
  const signing = authorityOf({ certificate: authority, key: await privatePem(keys.privateKey) }, now);
  return { authority, client: await signing.issue({ name: FRONT_PROXY_CLIENT }) };
}

const kept = z.object({ authority: z.string(), client: z.object({ certificate: z.string(), key: z.string() }) });

/** The same in an account: one for all processes, made when it is first needed. */
export async function keptFrontProxy(secret: SharedSecret, now: Date): Promise<FrontProxy> {
  const make = async (): Promise<Uint8Array> => Buffer.from(JSON.stringify(await newFrontProxy(now)));
  return kept.parse(JSON.parse(await secret('front-proxy', make)));
}
