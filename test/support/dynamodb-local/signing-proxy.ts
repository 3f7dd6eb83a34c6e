import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { onLoopback } from '#test/support/loopback.ts';

export interface SigningProxy {
  readonly endpoint: string;
  /** The number of requests that were rejected because of their date. */
  refused(): number;
  close(): Promise<void>;
}

/**
 * A proxy in front of DynamoDB Local. It rejects requests signed more than `window` milliseconds before or after now, as the real service
 * does (with five minutes). Signatures have a resolution of one second.
 */
export async function startSigningProxy(target: string, window: number): Promise<SigningProxy> {
  let refused = 0;
  const server = createServer((incoming, outgoing) => {
    if (withinWindow(incoming, window)) return forward(target, incoming, outgoing);
    refused += 1;
    return refuse(incoming, outgoing);
  });
  const { port, close } = await onLoopback(server);
  return { endpoint: `http://127.0.0.1:${port}`, refused: () => refused, close };
}

function withinWindow({ headers }: IncomingMessage, window: number): boolean {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(String(headers['x-amz-date']));
  if (parts === null) return false;
  const [, year, month, day, hour, minute, second] = parts.map(Number);
  const signed = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
  return Math.abs(Date.now() - signed) <= window;
}

function refuse(incoming: IncomingMessage, outgoing: ServerResponse): void {
  incoming.resume().on('end', () => {
    const body = { __type: 'com.amazon.coral.service#InvalidSignatureException', message: 'Signature expired' };
    outgoing.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
  });
}

function forward(target: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method = 'POST', url = '/', headers } = incoming;
  const upstream = request(new URL(url, target), { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  upstream.on('error', () => outgoing.destroy());
  incoming.pipe(upstream);
}
