import type { Address } from './service-resolver.ts';

/** One HTTPS POST. Where to connect and whom to expect there are apart: a Service's address is not its name. */
export interface TransportRequest {
  readonly connect: Address;
  /** The name that the server's certificate must have. */
  readonly serverName: string;
  /** The Host header. */
  readonly authority: string;
  /** Path and query. */
  readonly path: string;
  /** PEM; '' trusts the system's roots. */
  readonly caBundle: string;
  /** The client certificate and key, PEM. */
  readonly client?: { readonly certificate: string; readonly key: string };
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** For all of it, in milliseconds. */
  readonly timeout: number;
  /** A longer answer is refused. */
  readonly maxBytes: number;
}

/** The answer of a webhook's server. */
export interface TransportResponse {
  readonly status: number;
  /** '' where the server names none. */
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** No answer, or no whole one; the message is Go's of that fault. */
export class TransportError extends Error {
  /** Whether the other side broke off a connection that stood. */
  readonly isReset: boolean;

  constructor(message: string, options: ErrorOptions & { isReset?: boolean } = {}) {
    super(message, options);
    this.name = 'TransportError';
    this.isReset = options.isReset === true;
  }
}

/** Sends requests to webhooks. */
export interface WebhookTransport {
  /** The answer, whatever its status; redirects are answers too. Throws TransportError. */
  post(request: TransportRequest): Promise<TransportResponse>;
}
