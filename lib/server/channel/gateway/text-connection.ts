/** The client's end of a text connection to the gateway. */
export interface TextConnection {
  /** Resolves when the connection has accepted the message. Rejects when it has ended. */
  send(text: string): Promise<void>;
  close(): void;
  /** Resolves when it ends, with the peer's reason. '' if it gave none. */
  readonly closed: Promise<string>;
}

/** The parameters of a connection. */
export interface TextConnectionRequest {
  /** A ticket as text. */
  readonly ticket: string;
  /** The node of an agent. '' for a server. */
  readonly node: string;
  /** Called with a message. */
  message(text: string): void;
}

/** Connects to the gateway at a URL (`wss://…`). Rejects if the gateway refuses or cannot be reached. */
export type ConnectText = (url: string, request: TextConnectionRequest, signal: AbortSignal) => Promise<TextConnection>;
