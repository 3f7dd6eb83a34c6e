import { faultOf } from '#lib/client/api-client.ts';
import { requestEntityTooLarge } from '#lib/machinery/errors.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';

/**
 * The maximum size of a response in bytes. A thousand containers take 700 KB. Parsing a response of eight times this limit would block the
 * process for two seconds.
 */
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * Reads a node's `/metrics/resource` via nodes/proxy: through the node's channel, or from its port. `handle` acts as a user with permission
 * for nodes/proxy. Throws StatusError.
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
    signal: () => signal,
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
