import type { ProbeOutcome } from './outcome.ts';

/** A GET request for a probe or a hook. */
export interface ProbeRequest {
  /** The absolute URL, with its path and query escaped. */
  readonly url: string;
  /** The Host header, or '' to use the URL's host. */
  readonly host: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
}

/** A response to a probe's request. */
export interface ProbeResponse {
  readonly status: number;
  /** The first 10 KiB of the body. */
  readonly body: Uint8Array;
}

/** The error without a response. The message is Go's: `Get "http://…": dial tcp …: connect: connection refused`. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
  /** Whether a server responded to HTTPS with plain HTTP. */
  readonly isPlainHttp: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isPlainHttp?: boolean } = {}) {
    super(message, options);
    this.isPlainHttp = options.isPlainHttp === true;
  }
}

/**
 * Sends GET requests. Does not verify certificates or reuse connections. Follows up to ten redirects on the same host, and returns any
 * other redirect as the response.
 */
export interface HttpProber {
  /** `timeout` is in milliseconds, 0 for none. Throws NoResponse, or another Error if the body is incomplete. */
  get(request: ProbeRequest, timeout: number, signal?: AbortSignal): Promise<ProbeResponse>;
}

/** Opens TCP connections. */
export interface TcpProber {
  /** `timeout` is in milliseconds. Never rejects. */
  connect(host: string, port: number, timeout: number): Promise<ProbeOutcome>;
}

/** Calls grpc.health.v1.Health. */
export interface GrpcProber {
  /** `timeout` is in milliseconds, for connection and call together. Never rejects. */
  check(host: string, port: number, service: string, timeout: number): Promise<ProbeOutcome>;
}
