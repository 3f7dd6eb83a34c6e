import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import type { RunningApiserver } from '#local/start-apiserver.ts';

export interface Answer {
  readonly status: number;
  readonly body: JsonObject;
  readonly warnings: readonly string[];
}

/** Sends a request as the administrator. A PATCH is a merge patch. A response body that is not a JSON object becomes `{ text }`. */
export type Requester = (method: string, path: string, body?: Json) => Promise<Answer>;

const MERGE_PATCH = 'application/merge-patch+json';

/** A server's address, which may use plain HTTP. */
export type Reached = Pick<RunningApiserver, 'url' | 'adminToken' | 'certificateAuthority'>;

export function requester(server: Reached, headers: Record<string, string> = {}): Requester {
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      const request = server.url.startsWith('https:') ? httpsRequest : httpRequest;
      const sent = request(
        `${server.url}${path}`,
        {
          method,
          ca: server.certificateAuthority,
          headers: {
            authorization: `Bearer ${server.adminToken}`,
            'content-type': method === 'PATCH' ? MERGE_PATCH : 'application/json',
            ...(bytes === undefined ? {} : { 'content-length': String(bytes.length) }), // node does not add it to a DELETE
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const warning = response.headers['warning'];
            resolve({
              status: response.statusCode ?? 0,
              body: parsed(Buffer.concat(chunks).toString()),
              warnings: [warning ?? []].flat().map(String),
            });
          });
        },
      );
      sent.on('error', reject);
      sent.end(bytes);
    });
}

function parsed(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : { text };
  } catch (error) {
    if (error instanceof SyntaxError) return { text };
    throw error;
  }
}
