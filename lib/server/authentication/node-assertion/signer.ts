import type { Clock } from '#lib/machinery/clock.ts';
import { hostOf, REALM_HEADER, type UnsignedRequest } from './claims.ts';
import { type NodeKeyPair, signedAssertion } from './sign.ts';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The state and ports of a signer. */
export interface AssertionSignerOptions {
  /** The URL of the API server. */
  readonly url: string;
  readonly clock: Clock;
  /** The current certificate and its key. */
  pair(): NodeKeyPair;
}

/** Signs a node's requests once the server has requested it. Such a server does not receive client certificates. */
export class AssertionSigner {
  readonly #options: AssertionSignerOptions;
  readonly #host: string;
  /** The cluster in the assertions. Undefined until the server requests assertions. */
  #cluster: string | undefined;
  /** The difference in ms between the server's clock and this machine's monotonic clock. */
  #ahead = 0;

  constructor(options: AssertionSignerOptions) {
    this.#options = options;
    this.#host = hostOf(new URL(options.url).host);
  }

  /** The header that authenticates a request. Empty until the server requests assertions. */
  headers(request: UnsignedRequest): { readonly authorization?: string } {
    if (this.#cluster === undefined) return {};
    const { clock, pair } = this.#options;
    const terms = { cluster: this.#cluster, host: this.#host, now: clock.monotonic() + this.#ahead };
    return { authorization: `Bearer ${signedAssertion(pair(), request, terms)}` };
  }

  /** Reads the server's time and cluster from response headers. Returns whether the request should be retried with a new signature. */
  heard(headers: Headers): boolean {
    const realm = text(headers[REALM_HEADER]);
    if (realm !== undefined) this.#cluster = realm;
    if (this.#cluster === undefined) return false;
    const date = Date.parse(text(headers['date']) ?? '');
    const { clock } = this.#options;
    if (!Number.isNaN(date)) this.#ahead = date - clock.monotonic();
    else if (this.#ahead === 0) this.#ahead = clock.now() - clock.monotonic(); // the server does not send its time
    return realm !== undefined;
  }
}

const text = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.[0];
