import * as z from 'zod/mini';
import type { AgentHello } from '../hello.ts';

const text = z.string().check(z.maxLength(4096));

const answer = z.object({
  ticket: text,
  /** The `wss` URL of the gateway. */
  url: z.url({ protocol: /^wss?$/ }),
  /** The server's features, as in its hello. Default none. */
  features: z._default(z.array(text), []),
  /** The expiration in ms since 1970. */
  expires: z.number(),
  /** The key that verifies grants and routes: an Ed25519 key, SPKI in base64url. */
  grantKey: text,
  /** The server's time in ms since 1970. */
  time: z.number(),
});

/** The API server's response to an agent that requests a ticket. */
export type TicketAnswer = z.infer<typeof answer>;

/** Decodes a ticket. Throws TypeError if it is invalid. */
export function decodeTicketAnswer(body: unknown): TicketAnswer {
  const read = answer.safeParse(body);
  if (!read.success) throw new TypeError('the answer of the server is no ticket');
  return read.data;
}

/** Issues agents tickets for the gateway. */
export interface TicketOffice {
  /** Throws StatusError: 400 for another protocol version, 409 with `nameTaken` while another host responds under the name. */
  issue(node: string, hello: AgentHello): Promise<TicketAnswer>;
}
