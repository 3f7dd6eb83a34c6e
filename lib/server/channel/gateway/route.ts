import type { KeyObject } from 'node:crypto';
import * as z from 'zod/mini';
import { signedText, verifiedPayload } from '../signed.ts';

/** Milliseconds that a route is good for. The server sends a new one with each message after half of it. */
export const ROUTE_LIFETIME = 600_000;
/** Characters of a route. */
export const MAX_ROUTE = 512;
/** Signatures of anything else are none of a route. */
const CONTEXT = 'davit-channel-route-v1.';

const name = z.string().check(z.minLength(1), z.maxLength(64));

const route = z.object({
  /** The connection that may send. */
  from: name,
  /** The connection that it reaches. */
  to: name,
  /** The session whose messages these are. */
  session: name,
  /** Milliseconds since 1970. */
  expires: z.number(),
});

/** The right of one connection to send messages of one session to another connection. The API server signs it. */
export type Route = z.infer<typeof route>;

/** A route as text. `key`: the cluster's private key of channels. */
export const signRoute = (granted: Route, key: KeyObject): string => signedText(CONTEXT, granted, key);

/** The route of a text that is good at `now`, milliseconds since 1970; undefined for any other. */
export function verifyRoute(signed: string, key: KeyObject, now: number): Route | undefined {
  if (signed.length > MAX_ROUTE) return undefined;
  const read = route.safeParse(verifiedPayload(CONTEXT, signed, key));
  return read.success && read.data.expires > now ? read.data : undefined;
}
