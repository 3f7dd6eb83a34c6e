import type { ApiRequest, ApiResponse } from '../api.ts';
import { parseAccept } from '../negotiate.ts';
import type { PublishedDocument } from './documents.ts';

/** No media type that is made is acceptable. */
export const NOT_ACCEPTABLE = (): ApiResponse => ({ status: 406, headers: { vary: 'Accept' }, body: '' });

/** The media type that the client likes best of those that are made; a document in JSON is also any. */
export function accepted({ headers }: ApiRequest, isMade: (type: string) => boolean): string | undefined {
  const types = parseAccept(headers['accept'] || '*/*').map(({ type }) => type);
  return types.find((type) => isMade(type) || type === '*/*' || type === 'application/*');
}

/** Whether the client has the document: as Go's ServeContent compares tags, weakly. */
export function isKnown({ headers }: ApiRequest, etag: string): boolean {
  const known = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}

/** A document. A hash in the query that is the current one makes it cacheable for ever. */
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
