import type { Target } from './dialer.ts';
import type { Upgrade } from './upgrade.ts';

/** TLS to a server that an APIService names. */
export interface NamedTls {
  /** The name that the server's certificate must have. */
  readonly serverName: string;
  /** The PEM certificates that verify the server. '' means the system's roots. */
  readonly caBundle: string;
  /** Whether to accept any certificate. */
  readonly insecureSkipVerify: boolean;
  /** The client certificate to present, and its key, in PEM. Default none. */
  readonly client?: { readonly certificate: string; readonly key: string };
}

/**
 * `kubelet` presents the client certificate and verifies the server's as configured. `kubelet-unverified` presents it without verifying the
 * server. `unverified` presents none and verifies nothing. `none` is plain HTTP. An object contains all settings itself.
 */
export type BackendTls = 'kubelet' | 'kubelet-unverified' | 'unverified' | 'none' | NamedTls;

/** One HTTP/1.1 request to a kubelet, a pod or an endpoint. */
export interface BackendRequest {
  readonly target: Target;
  readonly tls: BackendTls;
  readonly method: string;
  /** Path and query, encoded. */
  readonly path: string;
  /** The headers, without framing headers, which the round tripper adds. The exception is the length of a stream, if it is known. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** The body. A stream is read as fast as the backend accepts it. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /** Ends the exchange and its connection. */
  readonly signal: AbortSignal;
}

export interface BackendResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** The body as it arrives, with back pressure to the sender. After a switch of protocols, it contains the bytes from the backend. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Present if the backend switches protocols (101). */
  readonly upgrade?: Upgrade;
}

export interface RoundTripper {
  /**
   * Returns the response once its headers have arrived, including redirects. Throws TransportError, or BadRequest for a forbidden address.
   */
  send(request: BackendRequest): Promise<BackendResponse>;
}
