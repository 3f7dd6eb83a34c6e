import type { Ticket } from './ticket.ts';

/** The lifetime in ms of a connection record. The gateway ends each connection after two hours. */
export const RECORD_LIFETIME = 125 * 60_000;

/** The connections of a node's agent, according to the most recently used ticket. */
export interface AgentRecord {
  readonly node: string;
  /** The id of the ticket. */
  readonly ticket: string;
  /** The session of the agent's process. */
  readonly session: string;
  /** The host of the agent, as JSON. */
  readonly instance: string;
  /** Ids of connections, newest first. Empty if all of them are known to be closed. */
  readonly connections: readonly string[];
}

/** Records of connections to the gateway, shared by all processes. Every method throws StoreError. */
export interface Connections {
  /** Returns the record of a node. Undefined if there is none. It may be a second old, unless `fresh` is set. */
  find(node: string, options?: { readonly fresh: boolean }): Promise<AgentRecord | undefined>;
  /** Returns the node whose agent opened the connection. Undefined for a server's connection, and if the connection was not admitted. */
  nodeOf(connection: string): Promise<string | undefined>;
  /**
   * Uses the ticket for a connection. Returns false if it was already used, or if another ticket was used for the node since it was issued.
   */
  connect(ticket: Ticket, connection: string): Promise<boolean>;
  /**
   * Returns the connection for which a client's ticket was used. Undefined if it was not used, or was used longer ago than
   * `RECORD_LIFETIME`.
   */
  spentFor(ticket: string): Promise<string | undefined>;
  /** Removes a lost connection from the node's record. */
  lose(node: string, connection: string): Promise<void>;
  /** Returns the public key that verifies tickets and routes (SPKI, base64url). Undefined if none is published. */
  publishedKey(): Promise<string | undefined>;
  /** Publishes the key unless it is already published. */
  publish(key: string): Promise<void>;
  /** Adds to the number of messages of a connection in a time window. Returns the total so far. */
  count(connection: string, window: number, messages: number): Promise<number>;
}
