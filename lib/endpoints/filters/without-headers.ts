import type { ApiRequest } from '../api.ts';

/** The same request without some headers; `signal` and the body stay where they are. Names are in lower case. */
export function withoutHeaders(request: ApiRequest, isHidden: (name: string) => boolean): ApiRequest {
  const shown: Record<string, string | undefined> = {};
  const hidden: string[] = [];
  for (const name of Object.keys(request.headers)) {
    if (isHidden(name)) hidden.push(name);
    else shown[name] = request.headers[name];
  }
  if (hidden.length === 0) return request;
  const rawHeaders = request.rawHeaders?.filter((_, i, all) => !hidden.includes(all[i - (i % 2)]?.toLowerCase() ?? ''));
  return new Shown(request, shown, rawHeaders) as ApiRequest;
}

/** A request behind others' headers: to make each request a prototype of the next costs more than all filters. */
class Shown implements Omit<ApiRequest, Optional> {
  readonly #request: ApiRequest;
  readonly headers: ApiRequest['headers'];
  readonly rawHeaders: readonly string[] | undefined;

  constructor(request: ApiRequest, headers: ApiRequest['headers'], rawHeaders: readonly string[] | undefined) {
    this.#request = request;
    this.headers = headers;
    this.rawHeaders = rawHeaders;
  }

  get method(): string {
    return this.#request.method;
  }
  get path(): string {
    return this.#request.path;
  }
  get query(): URLSearchParams {
    return this.#request.query;
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
    return this.#request.stream?.bind(this.#request);
  }
  body(): Promise<Uint8Array> {
    return this.#request.body();
  }
}

/** Fields that may be absent; here they may be undefined. */
type Optional = 'uri' | 'remoteAddress' | 'rawHeaders' | 'clientCertificate' | 'turn' | 'upgrade' | 'stream';
