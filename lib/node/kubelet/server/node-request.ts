import type { ClientCertificate } from '#lib/server/authentication/authenticator.ts';
import type { Purpose } from '#lib/server/channel/grant.ts';

/** A request to the node's own server. */
export interface NodeRequest {
  readonly method: string;
  /** Without the query, its segments still escaped. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** By lower-case name; values of one name are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the client asks to switch protocols. */
  readonly isUpgrade: boolean;
  /** The purpose that a connection of the channel was granted for; absent at the node's port. */
  readonly purpose?: Purpose;
  /** The certificate that a client of the node's port proved. */
  readonly clientCertificate?: ClientCertificate;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/** An answer, its body whole or as it comes. */
export interface NodeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>;
}

/**
 * A session that the runtime serves: the request goes to its URL, and bytes pass both ways. `tunnel` is SPDY inside of a WebSocket, which
 * the server takes out; `v4` is a WebSocket of the fifth version of the protocol whose streams the fourth can carry.
 */
export interface RuntimeSession {
  readonly session: 'bytes' | 'tunnel' | 'v4';
  readonly url: string;
}

/** The answer of the node's server to a request. */
export type NodeResponse = NodeAnswer | RuntimeSession;

const TEXT = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };

/** An answer of plain text, as the kubelet's errors are. */
export const textAnswer = (status: number, body: string): NodeAnswer => ({ status, headers: TEXT, body });

/** An answer of JSON. */
export const jsonAnswer = (body: string | Uint8Array): NodeAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body,
});

/** A refusal of a request. The message is the answer's text. */
export class NodeServerError extends Error {
  override readonly name = 'NodeServerError';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}
