import * as z from 'zod/mini';
import type { Purpose } from '../grant.ts';

const text = z.string().check(z.maxLength(4096));

const ticket = z.object({
  ticket: text,
  /** The gateway: a `wss` URL. */
  url: z.url({ protocol: /^wss?$/ }),
  /** The session of the client with the agent. */
  session: text,
  /** The path and the query to ask the kubelet for, on the stream. */
  path: z.string(),
  /** When the ticket expires, milliseconds since 1970. */
  expires: z.number(),
  /** Verifies routes: an Ed25519 key, SPKI in base64url. */
  grantKey: text,
  /** The server's time, milliseconds since 1970. */
  time: z.number(),
});

/** The API server's answer to a user who asks for a stream to a pod by a gateway. */
export type StreamTicket = z.infer<typeof ticket>;

const routes = z.object({
  /** The agent's connection, and the session of its process. */
  connection: text,
  agent: text,
  /** Leads from the client's connection to the agent's, and back. */
  route: text,
  answer: text,
  /** The body of the `open` of the stream. */
  grant: z.object({ grant: z.string() }),
});

/** The way of a client's stream to the agent. It is good for as long as the gateway keeps the client's connection. */
export type StreamRoutes = z.infer<typeof routes>;

/** Throws TypeError where it is none. */
export const decodeStreamTicket = (body: unknown): StreamTicket => decoded(ticket, body);

/** Throws TypeError where it is none. */
export const decodeStreamRoutes = (body: unknown): StreamRoutes => decoded(routes, body);

function decoded<T>(schema: z.ZodMiniType<T>, body: unknown): T {
  const read = schema.safeParse(body);
  if (!read.success) throw new TypeError('the answer of the server is no ticket to a stream');
  return read.data;
}

/** A stream to a pod that a user may open: the request has been authorized and admitted. */
export interface StreamAsked {
  readonly node: string;
  readonly port: number;
  readonly purpose: Purpose;
  /** The kubelet's path and query. */
  readonly path: string;
}

/** A connection to the gateway that a client holds, and the stream that it opens. */
export interface SpentTicket {
  readonly ticket: string;
  readonly connection: string;
  /** The stream's id: 48 random bits. */
  readonly stream: number;
}

/** Gives users' clients tickets and routes for streams to pods. Methods throw StoreError. */
export interface StreamOffice {
  /** A ticket for one connection to the gateway. Throws StatusError: 503 while the node has no connection there. */
  ticket(asked: StreamAsked): Promise<StreamTicket>;
  /** The way to the agent, for the connection that spent the ticket. Throws StatusError: 403 where the ticket is for anything else, 503. */
  routes(asked: StreamAsked, spent: SpentTicket): Promise<StreamRoutes>;
}
