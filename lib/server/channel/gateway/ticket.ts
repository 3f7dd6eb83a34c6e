import type { KeyObject } from 'node:crypto';
import * as z from 'zod/mini';
import { signedText, verifiedPayload } from '../signed.ts';

/** The lifetime in ms of an unused ticket. */
export const TICKET_LIFETIME = 60_000;
/** The maximum clock skew in ms of the issuer. */
const SKEW = 5000;
/** The maximum number of characters of a ticket. API Gateway limits all headers to 10 KB. */
const MAX_TICKET = 4096;
/** The context of signatures of tickets, so that no other signature is valid as one. */
const CONTEXT = 'davit-channel-ticket-v1.';

const text = z.string().check(z.maxLength(512));

const ticket = z.object({
  /** A random id, generated for this ticket. */
  id: text,
  /** The node of the agent that connects. '' for an API server or a user's client. */
  node: text,
  /** The session of the agent's process, or of a client's stream. '' for an API server. */
  session: text,
  /** The host of the agent, as JSON. For a client, the digest of the user and the permitted request (`stream-tickets.ts`). */
  instance: z.string().check(z.maxLength(1024)),
  /** The ticket that was previously used for this node. '' if there was none. A ticket becomes invalid once another one is used. */
  after: text,
  /** The connection of the same session that the new one replaces. '' if there is none. */
  before: text,
  /** The time in ms since 1970. */
  expires: z.number(),
});

/** The right to open one connection to the gateway. The API server signs it. */
export type Ticket = z.infer<typeof ticket>;

/** Encodes a ticket as signed text. `key` is the cluster's private key of channels. */
export const signTicket = (granted: Ticket, key: KeyObject): string => signedText(CONTEXT, granted, key);

/**
 * Verifies and returns the ticket of a text. Undefined unless it is valid at `now`, in ms since 1970. Does not check whether it was used.
 */
export function verifyTicket(signed: string, key: KeyObject, now: number): Ticket | undefined {
  const read = signedTicket(signed, key);
  return read !== undefined && read.expires > now && read.expires <= now + TICKET_LIFETIME + SKEW ? read : undefined;
}

/** Returns the ticket of a text even if it has expired. Undefined if it is not signed with the key. */
export function signedTicket(signed: string, key: KeyObject): Ticket | undefined {
  if (signed.length > MAX_TICKET) return undefined;
  const read = ticket.safeParse(verifiedPayload(CONTEXT, signed, key));
  return read.success ? read.data : undefined;
}
