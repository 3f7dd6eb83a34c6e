/** An HTTPS GET with a small response. */
export interface GetRequest {
  readonly url: string;
  /** The trusted certificates in PEM. Empty to trust the system's root certificates. */
  readonly caBundle: string;
  /** The address to connect to instead of the URL's host. The certificate must still match the URL. */
  readonly connect?: { readonly host: string; readonly port: number };
  readonly headers?: Readonly<Record<string, string>>;
  /** The timeout of the whole request in ms. */
  readonly timeout: number;
  /** A larger response is rejected. */
  readonly maxBytes: number;
}

/** Calls other servers to authenticate users. */
export interface HttpsGetter {
  /** Returns the response with any status, including redirects. Throws TransportError. */
  get(request: GetRequest): Promise<{ readonly status: number; readonly body: Uint8Array }>;
}
