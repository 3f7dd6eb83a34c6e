import * as z from 'zod/mini';
import type { AgentHello } from '../hello.ts';

const text = z.string().check(z.maxLength(4096));

const answer = z.object({
  ticket: text,
  /** The gateway: a `wss` URL. */
  url: z.url({ protocol: /^wss?$/ }),
  /** Features of the server, as in its hello. Default none. */
  features: z._default(z.array(text), []),
  /** When the ticket expires, milliseconds since 1970. */
  expires: z.number(),
  /** Verifies grants and routes: an Ed25519 key, SPKI in base64url. */
  grantKey: text,
  /** The server's time, milliseconds since 1970. */
  time: z.number(),
});

/** The API server's answer to an agent that asks for a ticket. */
export type TicketAnswer = z.infer<typeof answer>;

/** Throws TypeError where it is none. */
export function decodeTicketAnswer(body: unknown): TicketAnswer {
  const read = answer.safeParse(body);
  if (!read.success) throw new TypeError('the answer of the server is no ticket');
  return read.data;
}

/** Gives agents tickets to the gateway. */
export interface TicketOffice {
  /** Throws StatusError: 400 for another version, 409 with `nameTaken` while another host answers under the name. */
  issue(node: string, hello: AgentHello): Promise<TicketAnswer>;
}
