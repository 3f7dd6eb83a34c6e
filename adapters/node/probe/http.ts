import { Agent, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps, Agent as TlsAgent } from 'node:https';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import { MAX_OUTPUT } from '#lib/node/kubelet/prober/outcome.ts';
import { type HttpProber, NoResponse, type ProbeRequest, type ProbeResponse } from '#lib/node/kubelet/prober/ports.ts';
import { faultText } from '#lib/server/webhook/fault-text.ts';

const MAX_REDIRECTS = 10;
const REDIRECTS = [301, 302, 303, 307, 308];
/** OpenSSL's error codes for a response that is not TLS. */
const PLAIN = ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'ERR_SSL_HTTP_REQUEST'];
const LATE = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
const LATE_BODY = 'context deadline exceeded (Client.Timeout or context cancellation while reading body)';

const plainAgent = new Agent({ keepAlive: false });
const tlsAgent = new TlsAgent({ keepAlive: false, rejectUnauthorized: false }); // upstream does not verify the certificates of containers

/** GETs of probes and hooks over separate connections. */
export const httpProber: HttpProber = {
  async get(request, timeout, signal) {
    const late = new AbortController();
    const timer = timeout > 0 ? setTimeout(() => late.abort(), timeout) : undefined;
    const signals = signal === undefined ? late.signal : AbortSignal.any([late.signal, signal]);
    try {
      return await follow(request, signals, () => late.signal.aborted);
    } finally {
      clearTimeout(timer);
    }
  },
};

async function follow(request: ProbeRequest, signal: AbortSignal, isLate: () => boolean): Promise<ProbeResponse> {
  const first = urlOf(request.url);
  let url = first;
  for (let redirects = 0; ; redirects++) {
    const written = redirects === 0 ? request.url : url.href;
    const response = await headersOf({ ...request, url: written }, url, signal).catch((error: unknown) => {
      throw noResponse(written, error, url, isLate());
    });
    const next = nextOf(response, url);
    if (next === undefined || next.hostname !== first.hostname) return bodyOf(response, isLate);
    response.destroy();
    if (redirects + 1 >= MAX_REDIRECTS) throw new NoResponse(`Get ${quote(next.href)}: stopped after 10 redirects`);
    url = next;
  }
}

/** Throws NoResponse for an invalid URL. */
function urlOf(text: string): URL {
  try {
    return new URL(text);
  } catch (error) {
    throw new NoResponse(`parse ${quote(text)}: invalid URL`, { cause: error });
  }
}

/** The target of a redirect. Undefined for any other response. */
function nextOf({ statusCode = 0, headers }: IncomingMessage, url: URL): URL | undefined {
  const { location = '' } = headers;
  if (!REDIRECTS.includes(statusCode) || location === '' || !URL.canParse(location, url.href)) return undefined;
  const next = new URL(location, url);
  return next.protocol === 'http:' || next.protocol === 'https:' ? next : undefined;
}

/** Resolves with the response once its headers arrive. */
function headersOf(
  { host, headers, url: text }: ProbeRequest,
  url: URL,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const isTls = url.protocol === 'https:';
  const options: RequestOptions = {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (isTls ? 443 : 80) : url.port,
    path: pathOf(text),
    headers: { ...mutable(headers), host: host === '' ? url.host : host },
    agent: isTls ? tlsAgent : plainAgent,
    signal,
    setDefaultHeaders: false,
  };
  return new Promise((resolve, reject) => {
    const sent = isTls ? requestHttps(options) : requestHttp(options);
    sent.once('response', resolve).on('error', reject).setHeader('Connection', 'close');
    sent.end();
  });
}

/** Path and query exactly as written, because node's URL would resolve dots. */
const pathOf = (text: string): string => {
  const rest = /^[a-z]+:\/\/[^/?#]*([^#]*)/i.exec(text)?.[1] ?? '';
  return rest.startsWith('/') ? rest : `/${rest}`;
};

const mutable = (headers: ProbeRequest['headers']): Record<string, string[]> =>
  Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, [...values]]));

function noResponse(url: string, error: unknown, { hostname, port }: URL, isLate: boolean): NoResponse {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const isPlainHttp = !isLate && PLAIN.includes(code);
  const target = { connect: { host: hostname, port: Number(port) }, serverName: hostname };
  const why = isLate
    ? LATE
    : isPlainHttp
      ? 'http: server gave HTTP response to HTTPS client'
      : code === ''
        ? messageOfError(error)
        : faultText(error, target, false);
  return new NoResponse(`Get ${quote(url)}: ${why}`, { cause: error, isPlainHttp });
}

/** The first bytes of the body. The rest is discarded. */
async function bodyOf(response: IncomingMessage, isLate: () => boolean): Promise<ProbeResponse> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response.iterator({ destroyOnReturn: true })) {
      if (!(chunk instanceof Uint8Array)) continue;
      chunks.push(chunk.subarray(0, MAX_OUTPUT - length));
      length += chunk.length;
      if (length >= MAX_OUTPUT) break;
    }
  } catch (error) {
    throw new Error(isLate() ? LATE_BODY : 'unexpected EOF', { cause: error });
  } finally {
    response.destroy();
  }
  return { status: response.statusCode ?? 0, body: Buffer.concat(chunks) };
}
