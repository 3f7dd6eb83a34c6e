import { ApiConnection, type Remote } from '#adapters/http/api-connection.ts';
import { apiClient, type ApiClientOptions } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import type { KeyPair } from '#lib/controllers/certificates/new-signer.ts';

/** A client of the API server with a certificate that can be replaced. */
export class NodeConnection implements Disposable {
  readonly client: Client;
  /** Requests of this node, for lists and watches. */
  readonly requests: ApiClientOptions;
  readonly #remote: Remote;
  #pair: KeyPair;
  #connection: ApiConnection;

  constructor(remote: Remote, pair: KeyPair) {
    this.#remote = remote;
    this.#pair = pair;
    this.#connection = connectionOf(remote, pair);
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

  /** Requests from now on show this certificate; connections of the one before end. */
  replace(pair: KeyPair): void {
    const before = this.#connection;
    this.#pair = pair;
    this.#connection = connectionOf(this.#remote, pair);
    before[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.#connection[Symbol.dispose]();
  }
}

const connectionOf = ({ url, caBundle, ...rest }: Remote, certificate: KeyPair): ApiConnection =>
  new ApiConnection({ url, caBundle, ...serverNameOf(rest), credentials: { certificate } });

/** A node verifies its server always: `insecure` is not taken over. */
const serverNameOf = ({ serverName }: Pick<Remote, 'serverName'>): Pick<Remote, 'serverName'> =>
  serverName === undefined ? {} : { serverName };
