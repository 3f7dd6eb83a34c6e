import { createDeflateRaw, createGunzip, createGzip, createInflateRaw } from 'node:zlib';
import { parseReference } from '#lib/api/cel/library/url.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { internalError } from '#lib/machinery/errors.ts';
import { Fault } from '#lib/machinery/fault.ts';
import type { BackendResponse } from '#lib/server/channel/round-tripper.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import type { ApiResponse } from '../api.ts';
import { through } from '../gzip.ts';
import { passedBack } from './forwarded-headers.ts';
import { type ProxiedPage, rewriteUrl } from './rewrite-url.ts';

type Body = AsyncIterable<Uint8Array>;

/** Decoders and encoders by content encoding. Go's `deflate` has no header. */
const ENCODINGS: ReadonlyMap<string, { decode(body: Body): Body; encode(body: Body): Body }> = new Map([
  ['', { decode: (body) => body, encode: (body) => body }],
  ['gzip', { decode: (body) => through(createGunzip(), body), encode: (body) => through(createGzip(), body) }],
  [
    'deflate',
    { decode: (body) => through(createInflateRaw(), body), encode: (body) => through(createDeflateRaw(), body) },
  ],
]);

/**
 * Rewrites a backend's response so that its redirects and HTML links to the backend point to the proxy. Upstream's proxy.Transport. Throws
 * 500 if a redirect is invalid.
 */
export async function rewritten(
  answer: BackendResponse,
  { method, turn }: Pick<ApiRequest, 'method' | 'turn'>,
  page: ProxiedPage,
): Promise<ApiResponse> {
  const { status, body } = answer;
  const headers = passedBack(answer);
  const location = first(answer, 'location');
  if (location !== '')
    return { status, headers: { ...headers, location: await redirect(location, answer, page) }, body };
  const encoding = ENCODINGS.get(first(answer, 'content-encoding'));
  const isHtml = first(answer, 'content-type').split(';', 1)[0]?.trim() === 'text/html';
  if (!isHtml || encoding === undefined || method === 'HEAD') return { status, headers, body };
  const { rewriteHtml } = await import('./rewrite-html.ts');
  const { 'content-length': _, ...others } = headers;
  const html = rewriteHtml(readable(encoding.decode(body)), linkRewriter(page), turn);
  return { status, headers: others, body: encoding.encode(html) };
}

/** Reports a body that does not match its content encoding as a fault of the backend. */
async function* readable(body: Body): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw error instanceof TransportError ? error : new TransportError(messageOfError(error), { cause: error });
  }
}

const first = ({ headers }: BackendResponse, name: string): string => [headers[name] ?? ''].flat()[0] ?? '';

async function redirect(location: string, { body }: BackendResponse, page: ProxiedPage): Promise<string> {
  const url = parseReference(location);
  if (!(url instanceof Fault)) return rewriteUrl(url, page);
  await body[Symbol.asyncIterator]().return?.();
  throw internalError(`error trying to parse Location header: ${url.message}`);
}

/** Rewrites links of a page. A text that is not a URL stays unchanged. */
const linkRewriter =
  (page: ProxiedPage) =>
  (link: string): string => {
    const url = parseReference(link);
    return url instanceof Fault ? link : rewriteUrl(url, page);
  };
