import { systemClock } from '#adapters/clock.ts';
import { ApiConnection, type Remote } from '#adapters/server/http/api-connection.ts';
import { type ApiClientOptions, apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import type { KeyPair } from '#lib/controllers/certificates/new-signer.ts';
import { defined } from '#lib/machinery/defined.ts';
import { AssertionSigner } from '#lib/server/authentication/node-assertion/signer.ts';

/** A client of the API server whose certificate can be replaced. */
export class NodeConnection implements Disposable {
  readonly client: Client;
  /** The options for this node's requests, such as lists and watches. */
  readonly requests: ApiClientOptions;
  /** Signs requests if the server does not see client certificates. */
  readonly signer: AssertionSigner;
  readonly #remote: Remote;
  #pair: KeyPair;
  #connection: ApiConnection;

  constructor(remote: Remote, pair: KeyPair) {
    this.#remote = remote;
    this.#pair = pair;
    this.signer = new AssertionSigner({ url: remote.url, clock: systemClock, pair: () => this.#pair });
    this.#connection = this.#opened();
    this.requests = { handle: (request) => this.#connection.handle(request), userAgent: 'davit-node-agent' };
    this.client = apiClient(this.requests);
  }

  /** The URL of the server. */
  get url(): string {
    return this.#remote.url;
  }

  /** The certificate in use, and its key. */
  get pair(): KeyPair {
    return this.#pair;
  }

  /** Uses this certificate for future requests, and closes the connections that used the previous one. */
  replace(pair: KeyPair): void {
    const before = this.#connection;
    this.#pair = pair;
    this.#connection = this.#opened();
    before[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.#connection[Symbol.dispose]();
  }

  /** A node always verifies its server: `insecure` is ignored. */
  #opened(): ApiConnection {
    const { url, caBundle, serverName } = this.#remote;
    const credentials = { certificate: this.#pair, signer: this.signer };
    return new ApiConnection({ url, caBundle, ...defined({ serverName }), credentials });
  }
}
