import type { KeyObject } from 'node:crypto';
import * as z from 'zod/mini';
import { signedText, verifiedPayload } from '../signed.ts';

/** Milliseconds in which a ticket has to be spent. */
export const TICKET_LIFETIME = 60_000;
/** Milliseconds by which the clock of the issuer may be ahead. */
const SKEW = 5000;
/** Characters of a ticket: headers of API Gateway have 10 KB in all. */
const MAX_TICKET = 4096;
/** Signatures of anything else are none of a ticket. */
const CONTEXT = 'davit-channel-ticket-v1.';

const text = z.string().check(z.maxLength(512));

const ticket = z.object({
  /** Drawn for this ticket. */
  id: text,
  /** The node whose agent connects; '' for an API server or a user's client. */
  node: text,
  /** The session of the agent's process, or of a client's stream; '' for an API server. */
  session: text,
  /** The host of the agent, as JSON; of a client the digest of who may do what (`stream-tickets.ts`). */
  instance: z.string().check(z.maxLength(1024)),
  /** The ticket that was spent before for this node; '' for none. A ticket is of no use once another was spent. */
  after: text,
  /** The connection of the same session that the new one takes over from; '' for none. */
  before: text,
  /** Milliseconds since 1970. */
  expires: z.number(),
});

/** The right to open one connection to the gateway, which the API server signs. */
export type Ticket = z.infer<typeof ticket>;

/** A ticket as text. `key`: the cluster's private key of channels. */
export const signTicket = (granted: Ticket, key: KeyObject): string => signedText(CONTEXT, granted, key);

/** The ticket of a text that is good at `now`, milliseconds since 1970; undefined for any other. Whether it was spent is not known here. */
export function verifyTicket(signed: string, key: KeyObject, now: number): Ticket | undefined {
  const read = signedTicket(signed, key);
  return read !== undefined && read.expires > now && read.expires <= now + TICKET_LIFETIME + SKEW ? read : undefined;
}

/** The ticket of a text, whether it is still good or not; undefined where the key has not signed it. */
export function signedTicket(signed: string, key: KeyObject): Ticket | undefined {
  if (signed.length > MAX_TICKET) return undefined;
  const read = ticket.safeParse(verifiedPayload(CONTEXT, signed, key));
  return read.success ? read.data : undefined;
}
