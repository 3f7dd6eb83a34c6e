import type { ClientCertificate } from '#lib/server/authentication/authenticator.ts';
import type { Purpose } from '#lib/server/channel/grant.ts';

/** A request to the node's own server. */
export interface NodeRequest {
  readonly method: string;
  /** The path without the query. Its segments are still escaped. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Headers by lower-case name. Several values of a name are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the client requests a protocol upgrade. */
  readonly isUpgrade: boolean;
  /** The purpose in the grant of a channel's connection. Absent for requests to the node's port. */
  readonly purpose?: Purpose;
  /** The client certificate that TLS verified, at the node's port. */
  readonly clientCertificate?: ClientCertificate;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A response with a complete or a streamed body. */
export interface NodeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>;
}

/**
 * A session that the runtime serves: the request goes to its URL, and bytes are copied both ways. `tunnel` is SPDY inside a WebSocket,
 * which the server unwraps. `v4` is a WebSocket of a version 5 client that needs no feature beyond version 4.
 */
export interface RuntimeSession {
  readonly session: 'bytes' | 'tunnel' | 'v4';
  readonly url: string;
}

/** The response of the node's server to a request. */
export type NodeResponse = NodeAnswer | RuntimeSession;

const TEXT = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };

/** A plain text response, like the kubelet's errors. */
export const textAnswer = (status: number, body: string): NodeAnswer => ({ status, headers: TEXT, body });

/** A JSON response. */
export const jsonAnswer = (body: string | Uint8Array): NodeAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body,
});

/** A rejection of a request. The message becomes the text of the response. */
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
