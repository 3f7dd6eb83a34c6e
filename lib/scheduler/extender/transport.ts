import type { Address } from '#lib/server/webhook/service-resolver.ts';

/** The TLS settings of an extender, in PEM. */
export interface ExtenderTls {
  /** Accepts any server certificate. */
  readonly insecure: boolean;
  /** The name that the certificate must have; empty for the host of the URL. */
  readonly serverName: string;
  /** The CA certificates; empty for the system roots. */
  readonly ca: string;
  readonly client?: { readonly certificate: string; readonly key: string };
}

/** A POST request with a JSON body. */
export interface ExtenderRequest {
  /** An http or https URL. */
  readonly url: string;
  /** The address to connect to instead of the URL's host. Present if the URL names a Service. */
  readonly connect?: Address;
  readonly tls: ExtenderTls;
  readonly body: Uint8Array;
  /** The timeout of the whole request in milliseconds. */
  readonly timeout: number;
}

/** Sends requests to extenders. */
export interface ExtenderTransport {
  /** Returns the response, with any status. Throws if no response arrives. */
  post(request: ExtenderRequest): Promise<{ readonly status: number; readonly body: Uint8Array }>;
}
