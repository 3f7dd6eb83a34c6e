import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { ApiResponse } from '../api.ts';
import { parseAccept } from '../negotiate.ts';
import type { PublishedDocument } from './documents.ts';

/** Returns the 406 for a request that accepts none of the media types produced. */
export const NOT_ACCEPTABLE = (): ApiResponse => ({ status: 406, headers: { vary: 'Accept' }, body: '' });

/** Returns the client's preferred media type among those produced. A JSON document also matches any type. */
export function accepted({ headers }: ApiRequest, isMade: (type: string) => boolean): string | undefined {
  const types = parseAccept(headers['accept'] || '*/*').map(({ type }) => type);
  return types.find((type) => isMade(type) || type === '*/*' || type === 'application/*');
}

/** Whether the client already has the document: compares tags weakly, like Go's ServeContent. */
export function isKnown({ headers }: ApiRequest, etag: string): boolean {
  const known = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}

/** Responds with a document. The client may cache it forever if the query contains the current hash. */
export async function publishedResponse(
  request: ApiRequest,
  { path, hash: current, text }: PublishedDocument,
): Promise<ApiResponse> {
  const hash = request.query.get('hash');
  if (hash !== null && hash !== current) {
    return { status: 301, headers: { location: `/openapi/v3/${path}?hash=${current}` }, body: '' };
  }
  if (accepted(request, (type) => type === 'application/json') === undefined) return NOT_ACCEPTABLE();
  const etag = `"${current}"`;
  const cached = hash === null ? 'no-cache, private' : 'public, immutable';
  const headers = { 'content-type': 'application/json', etag, vary: 'Accept', 'cache-control': cached };
  if (isKnown(request, etag)) return { status: 304, headers, body: '' };
  return { status: 200, headers, body: await text(request.turn) };
}
