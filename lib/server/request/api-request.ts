import type { ClientCertificate } from '#lib/server/authentication/authenticator.ts';

/** A request, independent of the transport. Every adapter converts its platform's request into this and writes the response back. */
export interface ApiRequest {
  readonly method: string;
  /** The path as sent, percent-encoding included, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Path and query as sent, if the platform preserves them. */
  readonly uri?: string;
  /** The address of the connected peer, if the platform reports it. */
  readonly remoteAddress?: string;
  /** Names in lower case; the values of a repeated header are joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Alternating names and values, each as sent, if the platform preserves them. */
  readonly rawHeaders?: readonly string[];
  /** Reads the whole body. Throws StatusError (413) beyond 3 MiB. Called at most once, and only after authorization. */
  body(): Promise<Uint8Array>;
  /**
   * Streams a body of any size as it arrives, instead of `body`; undefined if the request has none. Absent if the front door buffers
   * bodies.
   */
  stream?(): AsyncIterable<Uint8Array> | undefined;
  /** Yields to other requests if this one has kept them waiting. Returns undefined if it has not, or if there are no other requests. */
  turn?(): Promise<void> | undefined;
  /** Aborts when the client disconnects or the server shuts down. */
  readonly signal: AbortSignal;
  /** The certificate that the client proved on this connection, if any. */
  readonly clientCertificate?: ClientCertificate;
  /** The protocol that the client asks to switch to, as sent; absent if the front door cannot switch. */
  readonly upgrade?: string;
}
