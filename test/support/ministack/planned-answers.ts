import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onLoopback } from '#test/support/loopback.ts';

/** The response of a service to one request. Undefined cuts the connection. */
export type PlannedAnswer = { readonly status: number; readonly body: unknown } | undefined;

/** A service with planned responses, for behavior that no emulator has. It records its requests unchanged. */
export async function startPlannedAnswers(
  answer: (request: unknown, nth: number) => PlannedAnswer,
): Promise<{ endpoint: string; requests: unknown[]; stop(): Promise<void> }> {
  const requests: unknown[] = [];
  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk as Uint8Array));
    const request: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    requests.push(request);
    const planned = answer(request, requests.length);
    if (planned === undefined) return void outgoing.destroy();
    const body = JSON.stringify(planned.body);
    return void outgoing.writeHead(planned.status, { 'content-type': 'application/x-amz-json-1.1' }).end(body);
  }
  const server = createServer((incoming, outgoing) => void respond(incoming, outgoing));
  const { port, close } = await onLoopback(server);
  return { endpoint: `http://127.0.0.1:${port}`, requests, stop: close };
}
