import type { ProbeOutcome } from './outcome.ts';

/** A GET for a probe or a hook. */
export interface ProbeRequest {
  /** Absolute, with its path and query escaped. */
  readonly url: string;
  /** The Host header; '' for that of the URL. */
  readonly host: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
}

/** An answer to a probe's request. */
export interface ProbeResponse {
  readonly status: number;
  /** The first 10 KiB. */
  readonly body: Uint8Array;
}

/** No answer came. The message is Go's: `Get "http://…": dial tcp …: connect: connection refused`. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
  /** Whether a server that was asked by HTTPS spoke plain HTTP. */
  readonly isPlainHttp: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isPlainHttp?: boolean } = {}) {
    super(message, options);
    this.isPlainHttp = options.isPlainHttp === true;
  }
}

/**
 * Sends GETs. Certificates are not verified, connections are not kept, redirects are followed on the same host up to ten times; another
 * redirect is the answer.
 */
export interface HttpProber {
  /** `timeout` in milliseconds, 0 for none. Throws NoResponse, and another Error where the body breaks off. */
  get(request: ProbeRequest, timeout: number, signal?: AbortSignal): Promise<ProbeResponse>;
}

/** Opens TCP connections. */
export interface TcpProber {
  /** `timeout` in milliseconds. Never rejects. */
  connect(host: string, port: number, timeout: number): Promise<ProbeOutcome>;
}

/** Calls grpc.health.v1.Health. */
export interface GrpcProber {
  /** `timeout` in milliseconds, for connection and call together. Never rejects. */
  check(host: string, port: number, service: string, timeout: number): Promise<ProbeOutcome>;
}
