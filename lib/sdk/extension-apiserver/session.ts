import { CLOSE } from '#lib/server/endpoints/web-socket/frame.ts';

/** A message of a session: text or bytes. */
export type SessionMessage = string | Uint8Array;

/** The WebSocket that the author of a subresource uses. */
export interface ConnectSession {
  /** The negotiated subprotocol, '' for none. */
  readonly protocol: string;
  /** The client's messages, of at most 1 MiB each, until it closes. Unread messages slow the client down. */
  readonly messages: AsyncIterable<SessionMessage>;
  /** Resolves when the connection has accepted the message, which takes longer for a slow client. Rejects when the session is over. */
  readonly send: (message: SessionMessage) => Promise<void>;
}

/** The link between a function and the WebSocket of its session. It may connect two threads. */
export interface SessionLink {
  /** The negotiated subprotocol, '' for none. */
  readonly protocol: string;
  /** Aborts when the session is over: its client has disconnected, or the server shuts down. */
  readonly signal: AbortSignal;
  /** Switches protocols. Further calls have no effect. */
  open(): void;
  /** Returns the client's next message. Undefined after the last one. Must not be called again before it resolves. */
  receive(): Promise<SessionMessage | undefined>;
  /** Resolves when the connection has accepted the message. Rejects when the session is over. */
  send(message: SessionMessage): Promise<void>;
}

/** The function of a session ended because of an external event. The client may reconnect. */
export class SessionEnd extends Error {
  override readonly name = 'SessionEnd';
  /** The status code of the close frame. */
  readonly status: number;

  constructor(why: 'function is loaded again' | 'server ends') {
    super(`the ${why}`);
    this.status = why === 'server ends' ? CLOSE.goingAway : CLOSE.serviceRestart;
  }
}
