import { faultOf } from '#lib/client/api-client.ts';
import { requestEntityTooLarge } from '#lib/machinery/errors.ts';
import type { ApiRequest, ApiResponse } from '#lib/server/endpoints/api.ts';

/** Bytes of one answer: a thousand containers are 700 KB. Eight times as much takes two seconds to read, in which nobody else is served. */
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * The answer of a node's `/metrics/resource`, by nodes/proxy: over the node's channel, or to its port. `handle` answers as a user to whom
 * nodes/proxy is open. Throws StatusError.
 */
export async function scrapeNode(
  handle: (request: ApiRequest) => Promise<ApiResponse>,
  node: string,
  signal: AbortSignal,
): Promise<string> {
  const response = await handle({
    method: 'GET',
    path: `/api/v1/nodes/${encodeURIComponent(node)}/proxy/metrics/resource`,
    query: new URLSearchParams(),
    headers: { accept: 'text/plain', 'user-agent': 'metrics-server' },
    body: async () => new Uint8Array(),
    signal,
  });
  const text = await bounded(response.body, signal);
  if (response.status !== 200) throw await faultOf({ ...response, body: text });
  return text.toString();
}

async function bounded(body: ApiResponse['body'], signal: AbortSignal): Promise<Buffer> {
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    signal.throwIfAborted();
    size += chunk.length;
    if (size > MAX_BYTES) throw requestEntityTooLarge(`the metrics of the node have more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
