import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { onLoopback } from '#test/support/loopback.ts';

export interface FrontOptions {
  readonly certificate: string;
  readonly key: string;
}

/** The target of requests. */
export interface Behind {
  /** The endpoint of the emulator. */
  readonly endpoint: string;
  /** The host of the function URL, which the emulator uses to find the function. */
  readonly host: string;
  /** The prefix of every path, for a gateway only. Its buffered responses contain their head. */
  readonly gateway?: string;
}

/** Emulators treat responses as text, so compression and protobuf are not allowed. */
function asText({ accept, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  const plain = { ...headers, 'accept-encoding': 'identity' };
  if (accept === undefined) return plain;
  return { ...plain, accept: accept.replaceAll('application/vnd.kubernetes.protobuf', 'application/json') };
}

const BETWEEN = Buffer.alloc(8);

/** Unpacks a streamed response that the emulator's gateway passes on unchanged: the head as JSON, eight zero bytes, and the body. */
function unwrapped(answer: Buffer, outgoing: ServerResponse): void {
  const end = answer.indexOf(BETWEEN);
  if (end < 0) throw new Error(`no head in an answer: ${answer.toString().slice(0, 200)}`);
  const { statusCode, headers } = JSON.parse(answer.subarray(0, end).toString()) as {
    readonly statusCode: number;
    readonly headers: Readonly<Record<string, string>>;
  };
  outgoing.writeHead(statusCode, headers).end(answer.subarray(end + BETWEEN.length));
}

/**
 * Serves TLS in front of an emulator's function URL or gateway. Elsewhere, a client's own resolver and the platform provide this. It starts
 * before the target exists.
 */
export async function startFront({ certificate: cert, key }: FrontOptions) {
  const behind = Promise.withResolvers<Behind>();
  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method, url, headers } = incoming;
    const { endpoint, host, gateway = '' } = await behind.promise;
    const passed = request(`${endpoint}${gateway}${url}`, { method, headers: { ...asText(headers), host } });
    const [answer] = await Promise.all([once(passed, 'response'), pipeline(incoming, passed)]);
    const [response] = answer as [IncomingMessage];
    if (gateway !== '') return unwrapped(await buffer(response), outgoing);
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    await pipeline(response, outgoing);
  };
  const server = createServer({ cert, key }, (incoming, outgoing) => {
    forward(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const { port, close } = await onLoopback(server);
  return { url: `https://127.0.0.1:${port}`, leadsTo: behind.resolve, close };
}
