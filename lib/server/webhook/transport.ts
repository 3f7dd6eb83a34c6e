import type { Address } from './service-resolver.ts';

/**
 * An HTTPS POST. It has the address to connect to in addition to the expected server name, because a Service's address differs from its
 * name.
 */
export interface TransportRequest {
  readonly connect: Address;
  /** The name that the server's certificate must have. */
  readonly serverName: string;
  /** The Host header. */
  readonly authority: string;
  /** Path and query. */
  readonly path: string;
  /** The trusted certificates in PEM. '' means the system's roots. */
  readonly caBundle: string;
  /** The client certificate and key in PEM. */
  readonly client?: { readonly certificate: string; readonly key: string };
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The time limit in ms for the whole request. */
  readonly timeout: number;
  /** The maximum size of the response in bytes. */
  readonly maxBytes: number;
}

/** The response of a webhook's server. */
export interface TransportResponse {
  readonly status: number;
  /** '' if the server sends none. */
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** There is no response, or an incomplete one. The message is Go's text for the error. */
export class TransportError extends Error {
  /** Whether the peer reset an established connection. */
  readonly isReset: boolean;

  constructor(message: string, options: ErrorOptions & { isReset?: boolean } = {}) {
    super(message, options);
    this.name = 'TransportError';
    this.isReset = options.isReset === true;
  }
}

/** Sends requests to webhooks. */
export interface WebhookTransport {
  /** Returns the response with any status, including redirects. Throws TransportError. */
  post(request: TransportRequest): Promise<TransportResponse>;
}
