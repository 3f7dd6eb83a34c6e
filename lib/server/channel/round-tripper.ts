import type { Target } from './dialer.ts';
import type { Upgrade } from './upgrade.ts';

/** TLS to a server that an APIService names. */
export interface NamedTls {
  /** The name that the server's certificate must have. */
  readonly serverName: string;
  /** Verifies the server's certificate, PEM; '' trusts the system's roots. */
  readonly caBundle: string;
  /** Accepts any certificate. */
  readonly insecureSkipVerify: boolean;
  /** The client certificate that is shown, and its key, PEM. Default none. */
  readonly client?: { readonly certificate: string; readonly key: string };
}

/**
 * `kubelet` shows the client certificate and verifies the server's as configured, `kubelet-unverified` shows it to whoever answers,
 * `unverified` shows none and looks at none, `none` is plain HTTP. An object says it all itself.
 */
export type BackendTls = 'kubelet' | 'kubelet-unverified' | 'unverified' | 'none' | NamedTls;

/** One HTTP/1.1 request to a kubelet, a pod or an endpoint. */
export interface BackendRequest {
  readonly target: Target;
  readonly tls: BackendTls;
  readonly method: string;
  /** Path and query, encoded. */
  readonly path: string;
  /** Without what frames the body, but the length of a stream where it is known: the round tripper adds it. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** A stream is read as fast as the backend takes it. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /** Ends the exchange and its connection. */
  readonly signal: AbortSignal;
}

export interface BackendResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Read as it comes: who reads slowly slows the sender down. Of a switch of protocols, the bytes from the backend. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Present where the backend switches protocols (101). */
  readonly upgrade?: Upgrade;
}

export interface RoundTripper {
  /** The answer as soon as its headers are there, redirects included. Throws TransportError, or BadRequest for a forbidden address. */
  send(request: BackendRequest): Promise<BackendResponse>;
}
