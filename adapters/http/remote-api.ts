import type { ApiRequest, ApiResponse } from '#lib/endpoints/api.ts';
import { serviceUnavailable } from '#lib/machinery/errors.ts';

export interface RemoteApiOptions {
  /** Scheme, host and perhaps a path, no slash behind. */
  readonly url: string;
  /** Asked for at each request. */
  token(): Promise<string>;
}

/** An API server elsewhere, for clients that take one in their process: requests go over HTTPS, whole answers come back. */
export function remoteApi({ url, token }: RemoteApiOptions): (request: ApiRequest) => Promise<ApiResponse> {
  return async ({ method, path, query, headers, body, signal }) => {
    const parameters = query.toString();
    const [content, bearer] = await Promise.all([body(), token()]);
    const given = Object.entries({ ...headers, authorization: `Bearer ${bearer}` });
    const known = given.filter((header): header is [string, string] => header[1] !== undefined);
    const asked = { method, headers: known, signal, ...(content.length === 0 ? {} : { body: Buffer.from(content) }) };
    try {
      const answer = await fetch(`${url}${path}${parameters === '' ? '' : `?${parameters}`}`, asked);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      return { status: answer.status, headers: Object.fromEntries(answer.headers), body: bytes };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw serviceUnavailable(`the API server was not reached: ${causeOf(error)}`);
    }
  };
}

/** What failed is in the cause of what fetch throws. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
