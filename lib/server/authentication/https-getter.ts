/** An HTTPS GET of something small. */
export interface GetRequest {
  readonly url: string;
  /** PEM; '' trusts the system's roots. */
  readonly caBundle: string;
  /** In place of what the URL names, whose certificate is expected all the same. */
  readonly connect?: { readonly host: string; readonly port: number };
  readonly headers?: Readonly<Record<string, string>>;
  /** For all of it, in milliseconds. */
  readonly timeout: number;
  /** A longer answer is refused. */
  readonly maxBytes: number;
}

/** How this server asks others who someone is. */
export interface HttpsGetter {
  /** The answer, whatever its status; redirects are answers too. Throws TransportError. */
  get(request: GetRequest): Promise<{ readonly status: number; readonly body: Uint8Array }>;
}
