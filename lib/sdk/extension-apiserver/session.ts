import { CLOSE } from '#lib/server/endpoints/web-socket/frame.ts';

/** A message of a session: text, or bytes. */
export type SessionMessage = string | Uint8Array;

/** A WebSocket, as the author of a subresource sees it. */
export interface ConnectSession {
  /** The subprotocol that was agreed on, '' for none. */
  readonly protocol: string;
  /** The client's messages, of at most 1 MiB each, until it closes. A client whose messages nobody takes has to wait. */
  readonly messages: AsyncIterable<SessionMessage>;
  /** Resolves when the connection has taken the message: that is late where the client is slow. Rejects when the session is over. */
  readonly send: (message: SessionMessage) => Promise<void>;
}

/** The way from a function to the WebSocket of its session, which may lead to another thread. */
export interface SessionLink {
  /** The subprotocol that was agreed on, '' for none. */
  readonly protocol: string;
  /** Aborts when the session is over: its client has gone, or the server ends. */
  readonly signal: AbortSignal;
  /** Switches protocols. Calls behind the first have no effect. */
  open(): void;
  /** The next message of the client; undefined when no more comes. Not called again before it resolves. */
  receive(): Promise<SessionMessage | undefined>;
  /** Resolves when the connection has taken the message. Rejects when the session is over. */
  send(message: SessionMessage): Promise<void>;
}

/** The function of a session ends, which is no fault of it: its client may connect again. */
export class SessionEnd extends Error {
  override readonly name = 'SessionEnd';
  /** Of the close frame. */
  readonly status: number;

  constructor(why: 'function is loaded again' | 'server ends') {
    super(`the ${why}`);
    this.status = why === 'server ends' ? CLOSE.goingAway : CLOSE.serviceRestart;
  }
}
