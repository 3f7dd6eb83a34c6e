import type { KeyObject } from 'node:crypto';
import * as z from 'zod/mini';
import { signedText, verifiedPayload } from '../signed.ts';

/** The lifetime of a route in ms. After half of it, the server sends a new one with each message. */
export const ROUTE_LIFETIME = 600_000;
/** The maximum number of characters of a route. */
export const MAX_ROUTE = 512;
/** The context of signatures of routes, so that no other signature is valid as one. */
const CONTEXT = 'davit-channel-route-v1.';

const name = z.string().check(z.minLength(1), z.maxLength(64));

const route = z.object({
  /** The connection that may send. */
  from: name,
  /** The connection that receives. */
  to: name,
  /** The session to which the messages belong. */
  session: name,
  /** The time in ms since 1970. */
  expires: z.number(),
});

/** The right of one connection to send messages of one session to another connection. The API server signs it. */
export type Route = z.infer<typeof route>;

/** Encodes a route as signed text. `key` is the cluster's private key of channels. */
export const signRoute = (granted: Route, key: KeyObject): string => signedText(CONTEXT, granted, key);

/** Verifies and returns the route of a text. Undefined unless it is valid at `now`, in ms since 1970. */
export function verifyRoute(signed: string, key: KeyObject, now: number): Route | undefined {
  if (signed.length > MAX_ROUTE) return undefined;
  const read = route.safeParse(verifiedPayload(CONTEXT, signed, key));
  return read.success && read.data.expires > now ? read.data : undefined;
}
