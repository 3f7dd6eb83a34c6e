import type { Address } from '#lib/server/webhook/service-resolver.ts';

/** How an extender is reached over TLS, PEM. */
export interface ExtenderTls {
  /** Accepts any certificate of the server. */
  readonly insecure: boolean;
  /** The name that the certificate must have; '' for the host of the URL. */
  readonly serverName: string;
  /** '' for the system's roots. */
  readonly ca: string;
  readonly client?: { readonly certificate: string; readonly key: string };
}

/** One POST of JSON. */
export interface ExtenderRequest {
  /** http or https. */
  readonly url: string;
  /** Present where the URL names a Service: the address to connect to in place of the URL's. */
  readonly connect?: Address;
  readonly tls: ExtenderTls;
  readonly body: Uint8Array;
  /** For all of it, in milliseconds. */
  readonly timeout: number;
}

/** Sends requests to extenders. */
export interface ExtenderTransport {
  /** The answer, whatever its status. Throws what kept it from coming. */
  post(request: ExtenderRequest): Promise<{ readonly status: number; readonly body: Uint8Array }>;
}
