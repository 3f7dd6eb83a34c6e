import type { Clock } from '#lib/machinery/clock.ts';
import { hostOf, REALM_HEADER, type UnsignedRequest } from './claims.ts';
import { type NodeKeyPair, signedAssertion } from './sign.ts';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The state and ports of a signer. */
export interface AssertionSignerOptions {
  /** The URL of the API server. */
  readonly url: string;
  readonly clock: Clock;
  /** The certificate in use, and its key. */
  pair(): NodeKeyPair;
}

/** Signs a node's requests once its server has asked for it: the server sees no client certificates then. */
export class AssertionSigner {
  readonly #options: AssertionSignerOptions;
  readonly #host: string;
  /** The cluster that the assertions are for; undefined while the server has not asked. */
  #cluster: string | undefined;
  /** Milliseconds that the server's clock is before this machine's time since its start. */
  #ahead = 0;

  constructor(options: AssertionSignerOptions) {
    this.#options = options;
    this.#host = hostOf(new URL(options.url).host);
  }

  /** The header that authenticates a request; none while the server has not asked. */
  headers(request: UnsignedRequest): { readonly authorization?: string } {
    if (this.#cluster === undefined) return {};
    const { clock, pair } = this.#options;
    const terms = { cluster: this.#cluster, host: this.#host, now: clock.monotonic() + this.#ahead };
    return { authorization: `Bearer ${signedAssertion(pair(), request, terms)}` };
  }

  /** Learns from the headers of an answer what time it is at the server. Returns whether the request is worth another try, signed anew. */
  heard(headers: Headers): boolean {
    const realm = text(headers[REALM_HEADER]);
    if (realm !== undefined) this.#cluster = realm;
    if (this.#cluster === undefined) return false;
    const date = Date.parse(text(headers['date']) ?? '');
    const { clock } = this.#options;
    if (!Number.isNaN(date)) this.#ahead = date - clock.monotonic();
    else if (this.#ahead === 0) this.#ahead = clock.now() - clock.monotonic(); // a server that does not say the time
    return realm !== undefined;
  }
}

const text = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.[0];
