import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { decodeJson } from '#lib/machinery/json.ts';
import { isObject, stringAt } from '#lib/machinery/json-value.ts';
import { StartFault } from '../../start-fault.ts';

/** A route to an HTTP/1.1 server: a Unix socket, or an open stream. */
export type Way = { readonly socketPath: string } | { readonly stream: Duplex };

/** A request without a body. */
export interface Asked {
  readonly method: 'GET' | 'POST';
  /** The path with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A connection that was upgraded to another protocol. */
export interface Upgraded {
  readonly connection: Duplex;
  readonly headers: IncomingMessage['headers'];
}

/** The response to a request, as soon as its headers arrive, or the upgraded connection. Rejects if the server does not respond. */
export function exchange(way: Way, { method, path, headers = {} }: Asked): Promise<IncomingMessage | Upgraded> {
  return new Promise((resolve, reject) => {
    // No agent, because an agent would open connections itself.
    const to = 'stream' in way ? { createConnection: () => way.stream } : { socketPath: way.socketPath, agent: false };
    httpRequest({ ...to, method, path, headers: { host: 'localhost', ...headers } })
      .on('error', reject)
      .on('response', resolve)
      .on('upgrade', (answer, connection, head) => {
        if (head.length > 0) connection.unshift(head);
        resolve({ connection, headers: answer.headers });
      })
      .end();
  });
}

/** Formats an error response of the API server or a kubelet as kubectl does. */
export async function refusalOf(answer: IncomingMessage): Promise<StartFault> {
  const said = await text(answer);
  try {
    const { value } = decodeJson(Buffer.from(said));
    const message = isObject(value) ? stringAt(value, 'message') : undefined;
    const reason = isObject(value) ? stringAt(value, 'reason') : undefined;
    if (message !== undefined)
      return new StartFault(`Error from server${reason === undefined ? '' : ` (${reason})`}: ${message}`);
  } catch {
    // a kubelet sends the error as plain text
  }
  return new StartFault(`Error from server: ${said.trim() || `status ${answer.statusCode ?? 0}`}`);
}
