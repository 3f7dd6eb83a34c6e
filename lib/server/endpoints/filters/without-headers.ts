import { unauthorized } from '#lib/machinery/errors.ts';
import { digestOf } from '#lib/server/authentication/node-assertion/claims.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';

/**
 * Returns the same request without some headers. It shares `signal` and the body with the original. Names are in lower case. With a
 * `digest`, the body is read as a whole, and reading it throws StatusError (401) if its digest differs.
 */
export function withoutHeaders(request: ApiRequest, isHidden: (name: string) => boolean, digest?: string): ApiRequest {
  const shown: Record<string, string | undefined> = {};
  const hidden: string[] = [];
  for (const name of Object.keys(request.headers)) {
    if (isHidden(name)) hidden.push(name);
    else shown[name] = request.headers[name];
  }
  if (hidden.length === 0 && digest === undefined) return request;
  const rawHeaders = request.rawHeaders?.filter((_, i, all) => !hidden.includes(all[i - (i % 2)]?.toLowerCase() ?? ''));
  return new Shown(request, { headers: shown, rawHeaders, digest }) as ApiRequest;
}

/** Returns the same request with another query. */
export const withQuery = (request: ApiRequest, query: URLSearchParams): ApiRequest =>
  new Shown(request, {
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    digest: undefined,
    query,
  }) as ApiRequest;

/** A request with replaced headers or query. Making each request the prototype of the next would cost more than all filters. */
class Shown implements Omit<ApiRequest, Optional> {
  readonly #request: ApiRequest;
  readonly headers: ApiRequest['headers'];
  readonly rawHeaders: readonly string[] | undefined;
  readonly #digest: string | undefined;
  readonly #query: URLSearchParams | undefined;

  constructor(request: ApiRequest, { headers, rawHeaders, digest, query }: ShownParts) {
    this.#request = request;
    this.headers = headers;
    this.rawHeaders = rawHeaders;
    this.#digest = digest;
    this.#query = query;
  }

  get method(): string {
    return this.#request.method;
  }
  get path(): string {
    return this.#request.path;
  }
  get query(): URLSearchParams {
    return this.#query ?? this.#request.query;
  }
  get uri(): string | undefined {
    return this.#request.uri;
  }
  get remoteAddress(): string | undefined {
    return this.#request.remoteAddress;
  }
  get signal(): AbortSignal {
    return this.#request.signal;
  }
  get clientCertificate(): ApiRequest['clientCertificate'] | undefined {
    return this.#request.clientCertificate;
  }
  get upgrade(): string | undefined {
    return this.#request.upgrade;
  }
  get turn(): ApiRequest['turn'] | undefined {
    return this.#request.turn?.bind(this.#request);
  }
  get stream(): ApiRequest['stream'] | undefined {
    if (this.#digest !== undefined) return undefined; // no part of a body is used before the whole is verified
    return this.#request.stream?.bind(this.#request);
  }
  async body(): Promise<Uint8Array> {
    const body = await this.#request.body();
    if (this.#digest !== undefined && digestOf(body) !== this.#digest) throw unauthorized();
    return body;
  }
}

interface ShownParts {
  readonly headers: ApiRequest['headers'];
  readonly rawHeaders: readonly string[] | undefined;
  readonly digest: string | undefined;
  readonly query?: URLSearchParams;
}

/** The optional fields, which may be undefined here. */
type Optional = 'uri' | 'remoteAddress' | 'rawHeaders' | 'clientCertificate' | 'turn' | 'upgrade' | 'stream';
