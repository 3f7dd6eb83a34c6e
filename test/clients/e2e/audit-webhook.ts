import { createServer } from 'node:https';
import { arrayAt, isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { newAuthority } from '#local/certs.ts';
import { onLoopback } from '#test/support/loopback.ts';

/** A receiver of audit events on loopback; `await using` ends it. */
export interface AuditWebhookServer extends AsyncDisposable {
  readonly url: string;
  readonly authority: string;
  /** All text received so far, unchanged. */
  text(): string;
  events(): JsonObject[];
}

export async function auditWebhookServer(): Promise<AuditWebhookServer> {
  const authority = await newAuthority(new Date());
  const { certificate, key } = await authority.issue({ name: 'audit' }, ['127.0.0.1']);
  const bodies: string[] = [];
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString());
      response.end();
    });
  });
  const { port, close } = await onLoopback(server);
  return {
    url: `https://127.0.0.1:${port}/audit`,
    authority: authority.certificate,
    text: () => bodies.join('\n'),
    events: () => bodies.flatMap((body) => arrayAt(parsed(body), 'items')).filter(isObject),
    [Symbol.asyncDispose]: close,
  };
}

function parsed(body: string): JsonObject {
  const value = JSON.parse(body) as Json;
  return isObject(value) ? value : {};
}
