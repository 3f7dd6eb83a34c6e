import type { ClientCertificate } from '#lib/server/authentication/authenticator.ts';

/** The facts of a connection. The request contains them as one value, so that adding a fact changes only this type and the transport. */
export interface ClientConnection {
  /** The address of the connected peer. */
  readonly remoteAddress: string;
  /** The certificate that the client proved on this connection, if any. */
  readonly clientCertificate?: ClientCertificate;
}

/**
 * A request, independent of the transport. Every adapter converts its platform's request into this type and writes the response back. Its
 * methods need no `this`, so that a spread copies the request.
 */
export interface ApiRequest {
  readonly method: string;
  /** The path as sent, including percent-encoding, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Path and query as sent, if the platform preserves them. */
  readonly uri?: string;
  /** The connection on which the request arrived. Absent if it comes from this process. */
  readonly connection?: ClientConnection;
  /** Names are in lower case. The values of a repeated header are joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Alternating names and values, each as sent, if the platform preserves them. */
  readonly rawHeaders?: readonly string[];
  /** Reads the whole body. Throws StatusError (413) if it exceeds 3 MiB. Called at most once, and only after authorization. */
  body(): Promise<Uint8Array>;
  /**
   * Replaces `body` for a body of any size: streams it as it arrives. Undefined if the request has none. Absent if the front door buffers
   * bodies.
   */
  stream?(): AsyncIterable<Uint8Array> | undefined;
  /** Yields to other requests if this one has made them wait. Returns undefined if it has not, or if there are no other requests. */
  turn?(): Promise<void> | undefined;
  /**
   * Returns the signal that aborts when the client disconnects or the server shuts down. Each call returns the same signal. It is a method
   * because few requests need a signal, and creating one costs more than most filters.
   */
  readonly signal: () => AbortSignal;
  /** The protocol to which the client asks to switch, as sent. Absent if the front door cannot switch. */
  readonly upgrade?: string;
}

/** Returns the same request with another body, which is not streamed. */
export function withBody(request: ApiRequest, body: ApiRequest['body']): ApiRequest {
  const { stream: _, ...others } = request;
  return { ...others, body };
}
