/** A connection of text messages to the gateway, from its client's end. */
export interface TextConnection {
  /** Resolves when the connection has taken the message. Rejects when it is over. */
  send(text: string): Promise<void>;
  close(): void;
  /** Resolves when it is over, with the reason of the other end; '' where it gave none. */
  readonly closed: Promise<string>;
}

/** A connection that is asked for. */
export interface TextConnectionRequest {
  /** A ticket as text. */
  readonly ticket: string;
  /** The node of an agent; '' for a server. */
  readonly node: string;
  /** Takes a message. */
  message(text: string): void;
}

/** Connects to the gateway at a URL (`wss://…`). Rejects where it refuses, or cannot be reached. */
export type ConnectText = (url: string, request: TextConnectionRequest, signal: AbortSignal) => Promise<TextConnection>;
