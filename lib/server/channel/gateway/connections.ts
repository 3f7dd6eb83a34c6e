import type { Ticket } from './ticket.ts';

/** Milliseconds that a record of a connection is kept: the gateway ends each after two hours. */
export const RECORD_LIFETIME = 125 * 60_000;

/** The connections of a node's agent, as the ticket that was spent last says. */
export interface AgentRecord {
  readonly node: string;
  /** The id of the ticket. */
  readonly ticket: string;
  /** The session of the agent's process. */
  readonly session: string;
  /** The host of the agent, as JSON. */
  readonly instance: string;
  /** Ids of connections, the newest first; none where all are known to be gone. */
  readonly connections: readonly string[];
}

/** Records of connections to the gateway, which all processes share. Every method throws StoreError. */
export interface Connections {
  /** The record of a node; undefined without one. It may be a second old, and is not where it has to be `fresh`. */
  find(node: string, options?: { readonly fresh: boolean }): Promise<AgentRecord | undefined>;
  /** The node whose agent opened the connection; undefined for one of a server, and where none was let in. */
  nodeOf(connection: string): Promise<string | undefined>;
  /** Spends the ticket for a connection: false where it was spent, or another was spent for the node since it was issued. */
  connect(ticket: Ticket, connection: string): Promise<boolean>;
  /** The connection that the ticket of a client was spent for; undefined where it was not spent, or longer ago than `RECORD_LIFETIME`. */
  spentFor(ticket: string): Promise<string | undefined>;
  /** The connection is gone: the node's record names it no more. */
  lose(node: string, connection: string): Promise<void>;
  /** The public key that verifies tickets and routes (SPKI, base64url); undefined where none was published. */
  publishedKey(): Promise<string | undefined>;
  /** Publishes the key, unless it is already. */
  publish(key: string): Promise<void>;
  /** Adds to the messages of a connection in a window of time: the messages so far. */
  count(connection: string, window: number, messages: number): Promise<number>;
}
