import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Backend, Seen } from './backend.ts';
import { type Case, ROBOT } from './cases.ts';

/** The response to a request, and the request that the backend received. Values that differ between servers are masked. */
export interface Exchange {
  readonly title: string;
  readonly status: number | string;
  /** Lines `name: value`, with names in lower case, sorted. */
  readonly headers: readonly string[];
  readonly body: string;
  readonly trailers?: readonly string[];
  readonly seen: readonly Seen[];
}

/** The aggregator's address. */
export interface Aggregator {
  readonly url: string;
  readonly certificateAuthority: string | undefined;
  readonly token: string;
  /** A token of the service account `default/robot`. */
  readonly robot: string;
}

interface Answered {
  readonly status: number | string;
  readonly lines: readonly string[];
  readonly body: Buffer;
  readonly trailers?: readonly string[];
}

/** Sends one request on its own connection. Returns what the client and the backend have received. */
export async function exchange(aggregator: Aggregator, backend: Backend, it: Case): Promise<Exchange> {
  const masked = masker(aggregator, backend);
  backend.take();
  const { status, lines, body, trailers = [] } = await sent(aggregator, it);
  const seen = backend.take();
  return {
    title: it.title,
    status: typeof status === 'string' ? masked(status) : status,
    headers: lines.map(masked).sort(),
    body: masked(shown(body)),
    ...(trailers.length === 0 ? {} : { trailers }),
    seen: seen.map((one) => ({ ...one, headers: one.headers.map(masked), body: masked(one.body) })),
  };
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Masks dates, random identifiers and ports. */
export const masker =
  ({ url }: Pick<Aggregator, 'url'>, { port }: Pick<Backend, 'port'>) =>
  (text: string): string =>
    text
      .replace(/^date: .*/, 'date: DATE')
      .replace(UUID, 'UUID')
      .replaceAll(new URL(url).host, 'SERVER')
      .replaceAll(`localhost:${port}`, 'BACKEND')
      .replaceAll(/(127\.0\.0\.1|\[::1\]):\d+/g, '$1:PORT');

/** A body as text, or its digest if it is long or not text. */
function shown(body: Buffer): string {
  const text = body.toString('utf8');
  if (body.length < 4096 && Buffer.from(text, 'utf8').equals(body)) return text;
  return `${body.length} bytes, sha256 ${createHash('sha256').update(body).digest('hex')}`;
}

function sent({ url, certificateAuthority, token, robot }: Aggregator, it: Case): Promise<Answered> {
  const { method = 'GET', path, headers = {}, body, isChunked = false, answer = '' } = it;
  const { hostname, port } = new URL(url);
  const length = body === undefined || isChunked ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const all = { authorization: `Bearer ${token}`, connection: 'close', 'x-answer': answer, ...length, ...headers };
  const given = Object.entries(all).filter(([, value]) => value !== '');
  return new Promise((resolve) => {
    const request = httpsRequest({
      host: hostname,
      port,
      method,
      path,
      agent: false,
      ...(certificateAuthority === undefined ? { rejectUnauthorized: false } : { ca: certificateAuthority }),
      headers: Object.fromEntries(
        given.map(([name, value]) => [name, typeof value === 'string' ? value.replace(ROBOT, robot) : [...value]]),
      ),
    });
    request.on('error', ({ message }) => resolve({ status: message, lines: [], body: Buffer.of() }));
    request.on('response', (response) => void read(response).then(resolve));
    request.on('upgrade', (response, socket, head) => void echoed(response, socket, head).then(resolve));
    if (isChunked) request.write(body);
    request.end(isChunked ? undefined : body);
  });
}

const linesOf = ({ rawHeaders }: IncomingMessage): string[] =>
  Array.from({ length: rawHeaders.length / 2 }, (_, i) => {
    const [name = '', value = ''] = rawHeaders.slice(2 * i);
    return `${name.toLowerCase()}: ${value}`;
  });

async function read(response: IncomingMessage): Promise<Answered> {
  const chunks: Buffer[] = [];
  const status = response.statusCode ?? 0;
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer);
  } catch {
    return { status: `${status} (broken off)`, lines: linesOf(response), body: Buffer.concat(chunks) };
  }
  const { rawTrailers } = response;
  return { status, lines: linesOf(response), body: Buffer.concat(chunks), trailers: rawTrailers };
}

/** Sends two bytes, and reads the echo. */
async function echoed(response: IncomingMessage, socket: Duplex, head: Buffer): Promise<Answered> {
  const chunks = [head];
  socket.on('error', () => {});
  socket.write('hi');
  for await (const chunk of socket) {
    chunks.push(chunk as Buffer);
    if (Buffer.concat(chunks).length >= 2) break;
  }
  return { status: response.statusCode ?? 0, lines: linesOf(response), body: Buffer.concat(chunks) };
}
