import * as z from 'zod/mini';
import type { Purpose } from '../grant.ts';

const text = z.string().check(z.maxLength(4096));

const ticket = z.object({
  ticket: text,
  /** The `wss` URL of the gateway. */
  url: z.url({ protocol: /^wss?$/ }),
  /** The session between the client and the agent. */
  session: text,
  /** The path and the query of the kubelet request on the stream. */
  path: z.string(),
  /** The expiration in ms since 1970. */
  expires: z.number(),
  /** The key that verifies routes: an Ed25519 key, SPKI in base64url. */
  grantKey: text,
  /** The server's time in ms since 1970. */
  time: z.number(),
});

/** The API server's response to a user that requests a stream to a pod through a gateway. */
export type StreamTicket = z.infer<typeof ticket>;

const routes = z.object({
  /** The agent's connection, and the session of its process. */
  connection: text,
  agent: text,
  /** The routes from the client's connection to the agent's, and back. */
  route: text,
  answer: text,
  /** The body of the stream's `open`. */
  grant: z.object({ grant: z.string() }),
});

/** The routes of a client's stream to the agent. They are valid as long as the client's connection to the gateway exists. */
export type StreamRoutes = z.infer<typeof routes>;

/** Decodes a ticket. Throws TypeError if it is invalid. */
export const decodeStreamTicket = (body: unknown): StreamTicket => decoded(ticket, body);

/** Decodes a set of routes. Throws TypeError if it is invalid. */
export const decodeStreamRoutes = (body: unknown): StreamRoutes => decoded(routes, body);

function decoded<T>(schema: z.ZodMiniType<T>, body: unknown): T {
  const read = schema.safeParse(body);
  if (!read.success) throw new TypeError('the answer of the server is no ticket to a stream');
  return read.data;
}

/** A stream to a pod that a user may open. The request is already authorized and admitted. */
export interface StreamAsked {
  readonly node: string;
  readonly port: number;
  readonly purpose: Purpose;
  /** The kubelet's path and query. */
  readonly path: string;
}

/** A client's connection to the gateway, and the stream that it opens. */
export interface SpentTicket {
  readonly ticket: string;
  readonly connection: string;
  /** The stream's id: 48 random bits. */
  readonly stream: number;
}

/** Issues tickets and routes for streams to pods to users' clients. Methods throw StoreError. */
export interface StreamOffice {
  /** Returns a ticket for one connection to the gateway. Throws StatusError: 503 while the node has no connection to the gateway. */
  ticket(asked: StreamAsked): Promise<StreamTicket>;
  /**
   * Returns the routes to the agent, for the connection that used the ticket. Throws StatusError: 403 if the ticket was issued for a
   * different stream, 503.
   */
  routes(asked: StreamAsked, spent: SpentTicket): Promise<StreamRoutes>;
}
